// Groupshared memory that templates can be handed.
//
// HLSL knows groupshared arrays only as globals. CROSSLANE_GROUP_SCRATCH(Name, T, Count) declares one of `Count`
// elements of type `T` and a struct `Name` with static load and store, which group-level templates take as a parameter.
#ifndef CROSSLANE_GROUP_SCRATCH_HLSLI
#define CROSSLANE_GROUP_SCRATCH_HLSLI

// Groupshared arrays that hold one value per wave are sized for the smallest wave there is, a single lane: some devices
// run 4 lanes, and a CPU may run one.
#define CROSSLANE_SMALLEST_WAVE 1

#define CROSSLANE_GROUP_SCRATCH(Name, T, Count)                                \
  groupshared T Name##_values[Count];                                          \
  struct Name {                                                                \
    static void store(uint index, T value) { Name##_values[index] = value; }   \
    static T load(uint index) { return Name##_values[index]; }                 \
  };

#endif  // CROSSLANE_GROUP_SCRATCH_HLSLI
