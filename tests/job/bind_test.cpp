#include "job/bind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using spirv::BindingKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

spirv::ResourceBinding shown(std::uint32_t set, std::uint32_t slot, BindingKind kind, const std::string& name = "") {
  spirv::ResourceBinding binding;
  binding.set = set;
  binding.slot = slot;
  binding.kind = kind;
  binding.name = name;
  return binding;
}

Resource resource(const std::string& buffer, ResourceKind kind, std::optional<Register> directx,
                  std::optional<std::uint32_t> vulkan = {}, std::uint32_t set = 0) {
  return {buffer, kind, set, directx, vulkan, {}, false};
}

Job job_with(std::vector<Resource> resources) {
  Job job;
  for (const auto& one : resources) {
    if (job.find(one.buffer) == nullptr) {
      job.buffers.push_back({.name = one.buffer, .elements = {std::vector<std::byte>(4)}});
    }
  }
  job.resources = std::move(resources);
  return job;
}

// The bindings that the resources got, as "buffer@set:slot".
std::vector<std::string> places(const ResourceBindings& bindings) {
  std::vector<std::string> result;
  for (const auto& bound : bindings.bound) {
    result.push_back(bound.resource->buffer + "@" + std::to_string(bound.shown->set) + ":" +
                     std::to_string(bound.shown->slot));
  }
  return result;
}

TEST(Bind, RegistersOfOneNumberAreToldApartByKindAndSpace) {
  const auto job = job_with({resource("B", ResourceKind::constant_buffer, Register{0, 0}, 9),
                             resource("T", ResourceKind::structured_buffer, Register{0, 0}, 9),
                             resource("U", ResourceKind::rw_typed_buffer, Register{0, 0}, 9),
                             resource("Other", ResourceKind::rw_byte_address_buffer, Register{0, 2}, 9)});
  spirv::Reflection shader;
  shader.bindings = {shown(0, 0, BindingKind::uniform_buffer), shown(0, 1000, BindingKind::storage_buffer),
                     shown(0, 3000, BindingKind::storage_texel_buffer), shown(2, 3000, BindingKind::storage_buffer)};
  EXPECT_THAT(places(must(bind(job, shader, true))), ElementsAre("B@0:0", "T@0:1000", "U@0:3000", "Other@2:3000"));
}

TEST(Bind, VulkanBindingCountsWhereTheSourceSaysIt) {
  const auto job = job_with({resource("A", ResourceKind::rw_structured_buffer, Register{1, 0}, 1),
                             resource("Swapped", ResourceKind::rw_structured_buffer, Register{0, 0}, 3001, 0),
                             resource("Second", ResourceKind::rw_structured_buffer, Register{5, 0}, 4, 1)});
  spirv::Reflection shader;
  // A goes where its register says, although there is something at its Vulkan binding, and nobody else may go there.
  shader.bindings = {shown(0, 1, BindingKind::storage_buffer), shown(0, 3001, BindingKind::storage_buffer),
                     shown(1, 4, BindingKind::storage_buffer)};
  auto other = job;
  other.resources.push_back(resource("A", ResourceKind::structured_buffer, Register{9, 0}, 1));
  EXPECT_THAT(places(must(bind(other, shader, true))), ElementsAre("A@0:3001", "Second@1:4", "A@0:1"));
}

TEST(Bind, ModulesOfOthersAreBoundByVulkanBindingFirst) {
  const auto job = job_with({resource("A", ResourceKind::rw_structured_buffer, Register{1, 0}, 0),
                             resource("B", ResourceKind::structured_buffer, Register{1, 0})});
  spirv::Reflection shader;
  shader.bindings = {shown(0, 0, BindingKind::storage_buffer), shown(0, 1, BindingKind::storage_buffer)};
  EXPECT_THAT(places(must(bind(job, shader, false))), ElementsAre("A@0:0", "B@0:1"));
}

TEST(Bind, KindsMustFit) {
  spirv::Reflection shader;
  shader.bindings = {shown(0, 0, BindingKind::uniform_texel_buffer, "texels")};
  EXPECT_TRUE(fails(bind(job_with({resource("A", ResourceKind::structured_buffer, {}, 0)}), shader, false),
                    ErrorCode::invalid_input, "a uniform texel buffer at set 0, binding 0 (texels)"));
  for (const auto kind : {ResourceKind::typed_buffer, ResourceKind::rw_typed_buffer}) {
    EXPECT_TRUE(bind(job_with({resource("A", kind, {}, 0)}), shader, false).has_value());
  }
}

TEST(Bind, WhatTheShaderDoesNotUseIsTold) {
  spirv::Reflection shader;
  shader.bindings = {shown(0, 0, BindingKind::storage_buffer)};
  const auto job = job_with({resource("A", ResourceKind::structured_buffer, {}, 0),
                             resource("Dropped", ResourceKind::rw_structured_buffer, Register{4, 0}, 4)});
  const auto bindings = must(bind(job, shader, true));
  EXPECT_THAT(bindings.bound, SizeIs(1));
  EXPECT_THAT(bindings.notes, ElementsAre(HasSubstr("does not use RWStructuredBuffer 'Dropped'")));
}

TEST(Bind, EveryBindingNeedsAResource) {
  spirv::Reflection shader;
  shader.bindings = {shown(1, 7, BindingKind::storage_buffer, "forgotten")};
  EXPECT_TRUE(fails(bind(job_with({}), shader, true), ErrorCode::invalid_input, "set 1, binding 7 (forgotten)"));
}

TEST(Bind, ArraysMustHaveTheShadersSize) {
  spirv::Reflection shader;
  shader.bindings = {shown(0, 0, BindingKind::storage_buffer)};
  shader.bindings[0].count = 3;
  auto job = job_with({resource("A", ResourceKind::structured_buffer, {}, 0)});
  EXPECT_TRUE(
      fails(bind(job, shader, false), ErrorCode::invalid_input, "'A' is an array of 1, but the shader has one of 3"));
  job.buffers[0].elements.resize(3);
  EXPECT_TRUE(bind(job, shader, false).has_value());
}

TEST(Bind, CountersAreFoundByTheirNamesOrBindings) {
  spirv::Reflection shader;
  shader.bindings = {shown(0, 3000, BindingKind::storage_buffer, "Out"),
                     shown(0, 3001, BindingKind::storage_buffer, "counter.var.Out")};
  auto job = job_with({resource("A", ResourceKind::rw_structured_buffer, Register{0, 0})});
  job.resources[0].has_counter = true;
  EXPECT_EQ(must(bind(job, shader, true)).bound.at(0).counter->slot, 3001U);
  shader.bindings[1].name.clear();
  job.resources[0].counter_binding = 3001;
  EXPECT_EQ(must(bind(job, shader, true)).bound.at(0).counter->slot, 3001U);
  job.resources[0].has_counter = false;
  EXPECT_FALSE(bind(job, shader, true).has_value());
}

}  // namespace
}  // namespace crosslane::job
