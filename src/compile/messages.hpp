// Words that several messages end with.
#pragma once

namespace crosslane::compile {

inline constexpr const char* mend = "set CROSSLANE_DXC to another one, or run scripts/fetch-dxc.sh";

}  // namespace crosslane::compile
