// Modules that several tests of this folder look at, as assembly.
#pragma once

#include <string>

namespace crosslane::test {

/// A valid compute shader that does nothing; `capabilities` and `modes` are put in their places.
inline std::string empty_shader(const std::string& capabilities = "", const std::string& modes = "") {
  return "OpCapability Shader\n" + capabilities +
         R"(OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main"
            OpExecutionMode %main LocalSize 8 4 2
         )" +
         modes +
         R"(%void = OpTypeVoid
            %function = OpTypeFunction %void
            %main = OpFunction %void None %function
            %label = OpLabel
            OpReturn
            OpFunctionEnd
         )";
}

}  // namespace crosslane::test
