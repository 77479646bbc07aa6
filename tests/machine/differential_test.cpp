// The same module gives the same bytes on the machine and on a Vulkan driver, at the driver's wave size.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/run_reduction.hpp"
#include "crosslane/reduction.hpp"
#include "device/machine/device.hpp"
#include "hlsl/run_kernel.hpp"
#include "hlsl/type_layout.hpp"
#include "kernels/kernel.hpp"
#include "machine/random/emit_spirv.hpp"
#include "machine/random/generate.hpp"
#include "machine/random/interpret.hpp"
#include "machine/random/random_data.hpp"
#include "measure/hash_fill.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"
#include "verify/element_type.hpp"
#include "verify/probe.hpp"

namespace crosslane::machine_tests {
namespace {

using hlsl_tests::Array;
using test::must;
using Words = std::vector<std::uint32_t>;

std::uint32_t wave_size() { return test::device().info().wave_sizes.standard; }

Device& machine_device() {
  static const auto device = must(machine::create_device(wave_size()));
  return *device;
}

std::string_view part(std::string_view name, std::size_t index) {
  for (; index > 0; --index) {
    const auto dot = name.find('.');
    name = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  }
  return name.substr(0, name.find('.'));
}

struct Dispatch {
  std::span<const std::uint32_t> spirv;
  std::string name;
  std::uint32_t groups = 1;
  Words constants = {};
};

// All arrays after the dispatch, bound in their order.
std::vector<Array> run_on(Device& device, const Dispatch& dispatch, std::vector<Array> arrays) {
  const auto pipeline = must(device.create_pipeline({.spirv = dispatch.spirv, .name = dispatch.name}));
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Binding> bindings;
  for (const auto& array : arrays) {
    const auto bytes = std::as_bytes(std::span(array.words));
    buffers.push_back(must(device.create_buffer({.bytes = bytes.size()})));
    must(upload(device, *buffers.back(), bytes));
    bindings.push_back({.slot = static_cast<std::uint32_t>(bindings.size()), .buffer = buffers.back().get()});
  }
  const auto list = must(device.create_command_list());
  must(list->dispatch(*pipeline, bindings, std::as_bytes(std::span(dispatch.constants)), {dispatch.groups, 1, 1}));
  must(run(device, *list));
  for (std::size_t at = 0; at < arrays.size(); ++at) {
    must(download(device, *buffers[at], std::as_writable_bytes(std::span(arrays[at].words))));
  }
  return arrays;
}

// The first word that differs among those that `counts(array, word)` says are defined; empty for none.
template <typename Counts>
std::string difference(const Dispatch& dispatch, const std::vector<Array>& arrays, Counts counts) {
  const auto there = run_on(test::device(), dispatch, arrays);
  const auto here = run_on(machine_device(), dispatch, arrays);
  for (std::size_t array = 0; array < arrays.size(); ++array) {
    for (std::size_t word = 0; word < arrays[array].words.size(); ++word) {
      if (counts(array, word) && here[array].words[word] != there[array].words[word]) {
        return fmt::format("{}: array {}, word {}: {:#x} on the machine, {:#x} on the driver", dispatch.name, array,
                           word, here[array].words[word], there[array].words[word]);
      }
    }
  }
  return {};
}

template <typename Counts>
void expect_same(const Dispatch& dispatch, const std::vector<Array>& arrays, Counts counts) {
  EXPECT_EQ(difference(dispatch, arrays, counts), "");
}

constexpr auto all_count = [](std::size_t, std::size_t) { return true; };

// ---- Random programs.

constexpr std::uint32_t parts = 4;

class Differential : public testing::TestWithParam<std::uint32_t> {};

struct Traces {
  Words here;
  Words there;
};

Traces run_on_both(const Program& program, std::uint32_t seed) {
  const auto words = test::assemble(emit_spirv(program));
  const Dispatch dispatch{
      .spirv = words, .name = fmt::format("random program {}", seed), .groups = program.groups, .constants = {}};
  const std::vector<Array> arrays = {{random_data(program, seed)},
                                     {Words(std::size_t{program.groups} * program.threads * trace_slots, untouched)}};
  return {run_on(machine_device(), dispatch, arrays).at(1).words, run_on(test::device(), dispatch, arrays).at(1).words};
}

// The machine is right where the interpreter says so. Drivers that do not promise maximal reconvergence may differ now
// and then, which is told; such programs are few.
TEST_P(Differential, RandomPrograms) {
  const auto programs = test::extent(40U, 1'000U);
  std::uint32_t compared = 0;
  std::uint32_t different = 0;
  for (auto seed = GetParam(); seed < programs; seed += parts) {
    const auto program = generate(seed, true);
    const auto traces = run_on_both(program, seed);
    ASSERT_EQ(traces.here, interpret(program, wave_size(), random_data(program, seed))) << "random program " << seed;
    ++compared;
    if (traces.here != traces.there) {
      ++different;
      fmt::print("random program {}: the driver gives other traces than machine and interpreter\n", seed);
      EXPECT_FALSE(test::device().info().features.maximal_reconvergence) << "random program " << seed;
    }
  }
  EXPECT_LE(different * 5, compared);
}

INSTANTIATE_TEST_SUITE_P(Part, Differential, testing::Range(0U, parts));

// ---- The kernels that tests of the HLSL library run.

// Every bit pattern is a finite, normal float, or 0 or 1 for bool.
std::uint64_t make_component(std::uint32_t thread, std::uint32_t component, std::uint32_t bits) {
  const std::uint64_t tag = (thread * 13 + component) & 0xFFU;
  return bits == 1 ? tag & 1U : tag | (std::uint64_t{0x2A} << (bits - 8));
}

Words component_words(std::uint32_t threads, const std::vector<std::uint32_t>& bits) {
  Words words;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t component = 0; component < bits.size(); ++component) {
      const auto value = make_component(thread, component, bits[component]);
      words.push_back(static_cast<std::uint32_t>(value));
      words.push_back(static_cast<std::uint32_t>(value >> 32U));
    }
  }
  return words;
}

void compare_shuffles(const Kernel& kernel) {
  constexpr std::uint32_t threads = 61;
  constexpr std::array<std::int32_t, 12> distances = {0, 1, -1, 2, 3, -3, 5, 8, -8, 17, 0x7FFFFFFF, -0x7FFFFFFF - 1};
  constexpr std::size_t calls = 1 + distances.size() * 7 + 9 * 2;
  const auto bits = hlsl_tests::component_bits(part(kernel.name, 1));
  const auto components = static_cast<std::uint32_t>(bits.size());
  std::vector<Array> arrays(5);
  arrays[0].words = component_words(threads, bits);
  arrays[1] = Array::results(calls * threads * components * 2);
  for (const auto distance : distances) {
    arrays[2].words.insert(arrays[2].words.end(), threads, static_cast<std::uint32_t>(distance));
  }
  arrays[3].words.assign(threads, 1);
  arrays[4] = Array::results(std::size_t{threads} * 3);
  // What lanes read that are not there is defined in the checked form only.
  const auto defined_threads = part(kernel.name, 0) == "checked" ? threads : threads / wave_size() * wave_size();
  expect_same({.spirv = kernel.spirv,
               .name = std::string(kernel.name),
               .constants = {threads, static_cast<std::uint32_t>(distances.size()), components}},
              arrays, [&](std::size_t array, std::size_t word) {
                return array != 1 || word / (2 * std::size_t{components}) % threads < defined_threads;
              });
}

void compare_library_kernel(const Kernel& kernel) {
  const auto kind = part(kernel.name, 0);
  const Dispatch dispatch{.spirv = kernel.spirv, .name = std::string(kernel.name)};
  if (kind == "plain" || kind == "checked") {
    compare_shuffles(kernel);
  } else if (kind == "read_lane") {
    const auto bits = hlsl_tests::component_bits(part(kernel.name, 1));
    const auto values = component_words(64, bits);
    auto with_constants = dispatch;
    with_constants.constants = {static_cast<std::uint32_t>(bits.size())};
    expect_same(with_constants, {{values}, Array::results(values.size())}, all_count);
  } else if (kind == "straight") {
    Words values;
    for (std::uint32_t word = 0; word < 64 * 4; ++word) {
      values.push_back(word * word % 23);
    }
    expect_same(dispatch, {{values}}, all_count);
  } else if (kind == "lanes") {
    Words asked;
    for (std::uint32_t lane = 0; lane < 160; ++lane) {
      asked.push_back(lane < 150 ? lane : lane * 0x01010101U);
    }
    expect_same(dispatch, {{asked}, Array::results(61 * 167)}, all_count);
  } else {
    ASSERT_EQ(kind, "place") << kernel.name << " is not compared: tell this test how to run it";
    if (!kernel.name.ends_with("x1x1")) {
      fmt::print("{} is not compared: which threads share a wave is the driver's choice\n", kernel.name);
      return;
    }
    expect_same(dispatch, {Array::results(105 * 8)}, all_count);  // 3 x 5 x 7 threads, the largest group
  }
}

TEST_P(Differential, KernelsOfTheHlslLibraryTests) {
  const auto kernels = hlsl_tests::kernels();
  const auto step = test::extent(parts * 5, parts);
  for (std::size_t at = GetParam(); at < kernels.size(); at += step) {
    compare_library_kernel(kernels[at]);
  }
}

// ---- The conformance kernels.

conformance::Inputs conformance_inputs(std::string_view kind, std::uint32_t threads,
                                       const conformance::ElementType* type) {
  conformance::Inputs inputs{.groups = 2, .group_threads = threads};
  inputs.callers.assign(inputs.threads(), 1);
  for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
    // Sums and products of 1 and 2 are exact in every type.
    inputs.values.push_back(type != nullptr && kind == "reduce"
                                ? conformance::encode(*type, 1 + (thread * 7 % 5 == 0 ? 1 : 0))
                                : (type != nullptr ? conformance::encode(*type, thread % 120) : thread * 2654435761U));
  }
  for (const auto distance : {0, 1, -1, 2, 5, -7, 16, 1000}) {
    inputs.distances.insert(inputs.distances.end(), inputs.threads(), distance);
  }
  return inputs;
}

const conformance::ElementType* find_type(std::string_view name) {
  const auto found = std::ranges::find(conformance::all_element_types, name, &conformance::ElementType::name);
  return found == conformance::all_element_types.end() ? nullptr : &*found;
}

// Why a kernel is not compared; empty where it is.
std::string not_compared(std::string_view name, const conformance::ElementType* type) {
  const auto kind = part(name, 1);
  const auto& features = test::device().info().features;
  if (kind == "denormal") {
    return "what becomes of denormals is the driver's choice";
  }
  if (kind == "place" && name.ends_with("7x5")) {
    return "which threads share a wave is the driver's choice";
  }
  if (kind == "early_exit" && !features.maximal_reconvergence) {
    return "the driver does not promise maximal reconvergence";
  }
  if (type != nullptr && !conformance::has_type(features, *type)) {
    return fmt::format("the driver has no wave operations on {}", type->name);
  }
  return {};
}

void compare_conformance_kernel(const std::string& name) {
  constexpr std::uint32_t slots = 128;
  constexpr std::uint32_t wave_count_slot = 9;  // of place.hlsl: some drivers leave out the wave that is partly filled
  const auto kind = part(name, 1);
  const auto* const type = find_type(part(name, 2));
  const std::uint32_t threads = name.ends_with(".128") ? 128 : 125;
  if (const auto reason = not_compared(name, type); !reason.empty()) {
    fmt::print("{} is not compared: {}\n", name, reason);
    return;
  }
  const auto inputs = conformance_inputs(kind, threads, type);
  const auto there = must(conformance::Probe(test::device(), {}).run(name, inputs, slots));
  const auto here = must(conformance::Probe(machine_device(), {}).run(name, inputs, slots));
  // Lanes that are not there give shuffles no defined value.
  const auto defined = kind == "shuffle" ? threads / wave_size() * wave_size() : threads;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
      if (thread % threads < defined && (kind != "place" || slot != wave_count_slot)) {
        ASSERT_EQ(here.at(slot, thread), there.at(slot, thread)) << name << ", slot " << slot << ", thread " << thread;
      }
    }
  }
}

TEST_P(Differential, ConformanceKernels) {
  std::vector<std::string> names;
  for (const auto& kernel : kernels()) {
    if (part(kernel.name, 0) == "verify") {
      names.emplace_back(kernel.name);
    }
  }
  ASSERT_GE(names.size(), 40U);
  for (std::size_t at = GetParam(); at < names.size(); at += parts) {
    compare_conformance_kernel(names[at]);
  }
}

TEST(DifferentialMeasure, TestDataIsTheSame) {
  constexpr std::size_t words = 100'003;
  std::array<Words, 2> made = {Words(words), Words(words)};
  std::size_t at = 0;
  for (auto* const device : {&test::device(), &machine_device()}) {
    const auto buffer = must(device->create_buffer({.bytes = words * 4}));
    must(measure::fill_with_hashes(*device, *buffer, words, 77));
    must(download(*device, *buffer, std::as_writable_bytes(std::span(made.at(at++)))));
  }
  EXPECT_EQ(made[0], made[1]);
}

// ---- Reductions.

template <typename T>
class DifferentialReduction : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(DifferentialReduction, ElementTypes);

// Float sums differ by no more than what both may be wrong, and not at all where the order is promised.
template <typename T>
void compare_reductions(const ReductionOptions& options) {
  test::Reducer<T> there(test::device(), options);
  test::Reducer<T> here(machine_device(), options);
  for (const std::size_t count : {1U, 77U, 70'001U}) {
    const auto values = test::random_values<T>(count, 5);
    const T a = here(values);
    const T b = there(values);
    const auto where = fmt::format("{} of {} by {}", name(options.op), count, name(options.method));
    if (std::is_integral_v<T> || options.op != Operator::sum || options.reproducible) {
      EXPECT_EQ(test::bits_of(a), test::bits_of(b)) << where;
      continue;
    }
    double magnitude = 0;
    for (const T value : values) {
      magnitude += std::abs(static_cast<double>(value));
    }
    EXPECT_LE(std::abs(static_cast<double>(a) - static_cast<double>(b)), 2 * here.plan().error_bound(count) * magnitude)
        << where;
  }
}

TYPED_TEST(DifferentialReduction, EveryMethodAndOperator) {
  constexpr auto type = scalar_type_of<TypeParam>;
  ReductionOptions options;
  for (const Method method : all_methods) {
    options.method = method;
    for (const Operator op : all_operators) {
      options.op = op;
      if (is_defined(op, type)) {
        compare_reductions<TypeParam>(options);
      }
    }
    options.op = Operator::sum;
    options.reproducible = true;
    compare_reductions<TypeParam>(options);
    options.reproducible = false;
  }
}

}  // namespace
}  // namespace crosslane::machine_tests
