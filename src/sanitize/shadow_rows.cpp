#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sanitize/shadow_rows.cpp"
#include "sanitize/shadow_rows.hpp"

#include <algorithm>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crosslane::sanitize::HWY_NAMESPACE {
namespace {

// The part of a row that lies in one page.
struct Part {
  ShadowPage& page;
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
  std::uint32_t skipped = 0;  // places of the row in pages before
  std::uint32_t lane = 0;
  std::uint32_t shift = 0;
};

// Calls `visit(part)` for all of them until one returns false; whether none did.
template <typename Visit>
HWY_INLINE bool for_each_part(const RowAccess& access, Visit visit) {
  for (const auto& row : access.rows) {
    for (std::uint32_t done = 0; done < row.count;) {
      const auto place = row.first + done;
      const auto begin = static_cast<std::uint32_t>(place % page_places);
      const auto count = std::min(row.count - done, page_places - begin);
      if (!visit(Part{access.memory.page(place / page_places), begin, count, done, row.lane, row.shift})) {
        return false;
      }
      done += count;
    }
  }
  return true;
}

// Whether nothing that was done there matters any more, as far as whole blocks tell.
HWY_INLINE bool is_forgotten(const Part& part, const RowAccess& access) {
  std::uint32_t latest = 0;
  for (auto block = part.begin / block_places; block <= (part.begin + part.count - 1) / block_places; ++block) {
    latest = std::max(latest, part.page.latest[block]);
  }
  return latest < access.forgotten;
}

// Of a part's places: pointers, which checked arrays of the standard library do not keep from being vectorised.
struct Rows {
  explicit HWY_INLINE Rows(PlaceAccesses& accesses, std::uint32_t begin)
      : thread(accesses.thread.data() + begin),
        time(accesses.time.data() + begin),
        source(accesses.source.data() + begin) {}
  ThreadNumber* HWY_RESTRICT thread;
  std::uint32_t* HWY_RESTRICT time;
  std::uint32_t* HWY_RESTRICT source;
};

// may_matter, without branches.
HWY_INLINE std::uint32_t matters(ThreadNumber thread, std::uint32_t time, ThreadNumber own, const GroupView& group) {
  const auto known = static_cast<std::uint32_t>(thread - group.first < group.threads) &
                     static_cast<std::uint32_t>(time < group.horizon);
  return static_cast<std::uint32_t>(time != 0) & static_cast<std::uint32_t>(thread != own) & (known ^ 1U);
}

// Whether a second reader gives way to one more: see record_reader. Readers so far apart that they are of different
// waves stay. Without branches.
HWY_INLINE std::uint32_t gives_way(ThreadNumber one, ThreadNumber two, ThreadNumber wave_first,
                                   std::uint32_t wave_lanes, const GroupView& group) {
  const auto other_group = static_cast<std::uint32_t>(one - group.first >= group.threads);
  const auto other_wave = static_cast<std::uint32_t>(one - wave_first >= wave_lanes);
  const auto same_group = static_cast<std::uint32_t>(two - group.first < group.threads);
  const auto near = static_cast<std::uint32_t>(one - two + wave_lanes - 1 < 2 * wave_lanes - 1);
  return other_group | (other_wave & same_group & near);
}

template <bool reads_matter>
HWY_INLINE bool quiet(const Part& part, ThreadNumber wave_first, const GroupView group) {
  const Rows writes(part.page.writes, part.begin);
  const Rows reads(part.page.reads, part.begin);
  const Rows other_reads(part.page.other_reads, part.begin);
  const auto* HWY_RESTRICT crowds = part.page.crowds.data() + part.begin;
  const auto first = wave_first + part.lane;
  std::uint32_t loud = 0;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto own = first + ((part.skipped + i) >> part.shift);
    loud |= matters(writes.thread[i], writes.time[i], own, group) | crowds[i];
    if constexpr (reads_matter) {
      loud |= matters(reads.thread[i], reads.time[i], own, group) |
              matters(other_reads.thread[i], other_reads.time[i], own, group);
    }
  }
  return loud == 0;
}

HWY_INLINE void record(PlaceAccesses& accesses, const Part& part, const RowAccess& access) {
  const auto first = access.wave_first + part.lane;
  const auto* HWY_RESTRICT times = access.times + part.lane;
  const auto source = access.source;
  const Rows rows(accesses, part.begin);
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto lane = (part.skipped + i) >> part.shift;
    rows.thread[i] = first + lane;
    rows.time[i] = times[lane];
    rows.source[i] = source;
  }
}

// The wave's latest time.
HWY_INLINE std::uint32_t latest_time(const RowAccess& access) {
  return *std::max_element(access.times, access.times + access.wave_lanes);
}

// After an access at that time was recorded.
HWY_INLINE void touch(const Part& part, std::uint32_t time) {
  for (auto block = part.begin / block_places; block <= (part.begin + part.count - 1) / block_places; ++block) {
    part.page.touch(block * block_places, time);
  }
}

HWY_INLINE void forget(PlaceAccesses& accesses, const Part& part) {
  std::fill_n(accesses.time.data() + part.begin, part.count, 0U);
}

// Keeps two readers that are as far apart as can be: of different groups, else of different waves, else lanes.
HWY_INLINE void record_reader(const Part& part, const RowAccess& access) {
  const Rows ones(part.page.reads, part.begin);
  const Rows twos(part.page.other_reads, part.begin);
  const auto group = access.group;
  const auto wave_first = access.wave_first;
  const auto wave_lanes = access.wave_lanes;
  const auto source = access.source;
  const auto* HWY_RESTRICT times = access.times + part.lane;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto lane = (part.skipped + i) >> part.shift;
    const auto own = wave_first + part.lane + lane;
    const auto one = ones.thread[i];
    const auto one_time = ones.time[i];
    const auto one_source = ones.source[i];
    const auto two = twos.thread[i];
    const auto two_time = twos.time[i];
    const auto two_source = twos.source[i];
    const bool has_one = matters(one, one_time, own, group) != 0;
    const auto two_matters = matters(two, two_time, own, group);
    const bool has_two = two_matters != 0;
    const bool replaces = ((two_matters ^ 1U) | gives_way(one, two, wave_first, wave_lanes, group)) != 0;
    // The first one stays; if there is none the second moves up.
    ones.thread[i] = has_one ? one : has_two ? two : own;
    ones.time[i] = has_one ? one_time : has_two ? two_time : times[lane];
    ones.source[i] = has_one ? one_source : has_two ? two_source : source;
    const bool takes_second = has_one ? replaces : has_two;
    twos.thread[i] = takes_second ? own : two;
    twos.time[i] = takes_second ? times[lane] : has_one ? two_time : 0;
    twos.source[i] = takes_second ? source : two_source;
  }
}

// Whether two readers are known that are as far apart as can be: one more changes nothing.
HWY_INLINE bool has_readers(const Part& part, const RowAccess& access) {
  const Rows ones(part.page.reads, part.begin);
  const Rows twos(part.page.other_reads, part.begin);
  const auto group = access.group;
  const auto wave_first = access.wave_first;
  const auto wave_lanes = access.wave_lanes;
  const auto first = wave_first + part.lane;
  std::uint32_t changes = 0;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto own = first + ((part.skipped + i) >> part.shift);
    const auto one = ones.thread[i];
    const auto two = twos.thread[i];
    const auto both = matters(one, ones.time[i], own, group) & matters(two, twos.time[i], own, group);
    changes |= (both ^ 1U) | gives_way(one, two, wave_first, wave_lanes, group);
  }
  return changes == 0;
}

}  // namespace

bool all_quiet(const RowAccess& access) {
  return for_each_part(access, [&](const Part& part) {
    return is_forgotten(part, access) || quiet<true>(part, access.wave_first, access.group);
  });
}

bool write_rows(const RowAccess& access) {
  const auto time = latest_time(access);
  bool apart = true;
  for_each_part(access, [&](const Part& part) {
    // A row that another one of the same access meets is not quiet any more.
    if (access.rows.size() > 1) {
      apart = apart && (is_forgotten(part, access) || quiet<false>(part, access.wave_first, access.group));
    }
    record(part.page.writes, part, access);
    touch(part, time);
    if (!access.keeps_reads) {
      forget(part.page.reads, part);
      forget(part.page.other_reads, part);
    }
    return true;
  });
  return apart;
}

bool read_rows(const RowAccess& access) {
  const auto time = latest_time(access);
  return for_each_part(access, [&](const Part& part) {
    const bool forgotten = is_forgotten(part, access);
    if (forgotten || !access.two_readers) {
      if (!forgotten && !quiet<true>(part, access.wave_first, access.group)) {
        return false;
      }
      record(part.page.reads, part, access);
      forget(part.page.other_reads, part);
      touch(part, time);
      return true;
    }
    if (!quiet<false>(part, access.wave_first, access.group)) {
      return false;
    }
    if (!has_readers(part, access)) {
      record_reader(part, access);
      touch(part, time);
    }
    return true;
  });
}

}  // namespace crosslane::sanitize::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::sanitize {

HWY_EXPORT(all_quiet);
HWY_EXPORT(write_rows);
HWY_EXPORT(read_rows);

bool is_quiet(const RowAccess& access) { return HWY_DYNAMIC_DISPATCH(all_quiet)(access); }

bool record_writes(const RowAccess& access) { return HWY_DYNAMIC_DISPATCH(write_rows)(access); }
bool record_reads(const RowAccess& access) { return HWY_DYNAMIC_DISPATCH(read_rows)(access); }

}  // namespace crosslane::sanitize
#endif
