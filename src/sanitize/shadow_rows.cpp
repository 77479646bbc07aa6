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

// may_matter, without branches.
HWY_INLINE std::uint32_t matters(ThreadNumber thread, std::uint32_t time, ThreadNumber own, const GroupView& group) {
  const auto known = static_cast<std::uint32_t>(thread - group.first < group.threads) &
                     static_cast<std::uint32_t>(time < group.horizon);
  return static_cast<std::uint32_t>(time != 0) & static_cast<std::uint32_t>(thread != own) & (known ^ 1U);
}

template <bool reads_matter>
HWY_INLINE bool quiet(const Part& part, ThreadNumber wave_first, const GroupView group) {
  const auto& page = part.page;
  const auto first = wave_first + part.lane;
  std::uint32_t loud = 0;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto place = part.begin + i;
    const auto own = first + ((part.skipped + i) >> part.shift);
    loud |= matters(page.writes.thread[place], page.writes.time[place], own, group) | page.crowds[place];
    if constexpr (reads_matter) {
      loud |= matters(page.reads.thread[place], page.reads.time[place], own, group) |
              matters(page.other_reads.thread[place], page.other_reads.time[place], own, group);
    }
  }
  return loud == 0;
}

HWY_INLINE void record(PlaceAccesses& accesses, const Part& part, const RowAccess& access) {
  const auto first = access.wave_first + part.lane;
  const auto* HWY_RESTRICT times = access.times + part.lane;
  const auto source = access.source;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto lane = (part.skipped + i) >> part.shift;
    accesses.thread[part.begin + i] = first + lane;
    accesses.time[part.begin + i] = times[lane];
    accesses.source[part.begin + i] = source;
  }
}

HWY_INLINE void forget(PlaceAccesses& accesses, const Part& part) {
  for (std::uint32_t i = 0; i < part.count; ++i) {
    accesses.time[part.begin + i] = 0;
  }
}

// Keeps two readers that are as far apart as can be: of different groups, else of different waves, else lanes.
HWY_INLINE void record_reader(const Part& part, const RowAccess& access) {
  auto& page = part.page;
  const auto group = access.group;
  const auto wave_first = access.wave_first;
  const auto wave_lanes = access.wave_lanes;
  const auto source = access.source;
  const auto* HWY_RESTRICT times = access.times + part.lane;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const auto place = part.begin + i;
    const auto lane = (part.skipped + i) >> part.shift;
    const auto own = wave_first + part.lane + lane;
    const auto one = page.reads.thread[place];
    const auto one_time = page.reads.time[place];
    const auto one_source = page.reads.source[place];
    const auto two = page.other_reads.thread[place];
    const auto two_time = page.other_reads.time[place];
    const auto two_source = page.other_reads.source[place];
    const bool has_one = matters(one, one_time, own, group) != 0;
    const bool has_two = matters(two, two_time, own, group) != 0;
    const bool other_group = one - group.first >= group.threads;
    const bool other_wave = one - wave_first >= wave_lanes;
    const bool replaces = !has_two | other_group | (other_wave & (two - group.first < group.threads));
    // The first one stays; if there is none the second moves up.
    page.reads.thread[place] = has_one ? one : has_two ? two : own;
    page.reads.time[place] = has_one ? one_time : has_two ? two_time : times[lane];
    page.reads.source[place] = has_one ? one_source : has_two ? two_source : source;
    const bool takes_second = has_one ? replaces : has_two;
    page.other_reads.thread[place] = takes_second ? own : two;
    page.other_reads.time[place] = takes_second ? times[lane] : has_one ? two_time : 0;
    page.other_reads.source[place] = takes_second ? source : two_source;
  }
}

}  // namespace

bool all_quiet(const RowAccess& access, bool is_write) {
  const bool reads_matter = is_write || !access.two_readers;
  return reads_matter ? for_each_part(access, [&](const Part& part) { return quiet<true>(part, access.wave_first, access.group); })
                      : for_each_part(access, [&](const Part& part) { return quiet<false>(part, access.wave_first, access.group); });
}

bool write_all(const RowAccess& access) {
  bool apart = true;
  for_each_part(access, [&](const Part& part) {
    if (access.rows.size() > 1) {  // rows of this access that were recorded before
      apart = apart && quiet<false>(part, access.wave_first, access.group);
    }
    record(part.page.writes, part, access);
    forget(part.page.reads, part);
    forget(part.page.other_reads, part);
    return true;
  });
  return apart;
}

void read_all(const RowAccess& access) {
  for_each_part(access, [&](const Part& part) {
    if (access.two_readers) {
      record_reader(part, access);
    } else {
      record(part.page.reads, part, access);
      forget(part.page.other_reads, part);
    }
    return true;
  });
}

}  // namespace crosslane::sanitize::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::sanitize {

HWY_EXPORT(all_quiet);
HWY_EXPORT(write_all);
HWY_EXPORT(read_all);

bool is_quiet(const RowAccess& access, bool is_write) { return HWY_DYNAMIC_DISPATCH(all_quiet)(access, is_write); }
bool record_writes(const RowAccess& access) { return HWY_DYNAMIC_DISPATCH(write_all)(access); }
void record_reads(const RowAccess& access) { HWY_DYNAMIC_DISPATCH(read_all)(access); }

}  // namespace crosslane::sanitize
#endif
