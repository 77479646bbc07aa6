// A library that is no compiler.
extern "C" int crosslane_test_other_library() { return 0; }
