// How a value of each type travels between lanes: one instruction per scalar or vector, row by row for matrices,
// member by member for structs. The functions of shuffle.hlsli are written over this.
#ifndef CROSSLANE_DETAIL_EXCHANGE_HLSLI
#define CROSSLANE_DETAIL_EXCHANGE_HLSLI

namespace crosslane {
namespace native {

// A read from a lane that is inactive or not there gives an undefined value here; callers see to it that nobody uses
// it.
#if defined(__spirv__)
static const uint kSubgroupScope = 3;

template <typename T>
[[vk::ext_capability(/* GroupNonUniformShuffle */ 65)]] [[vk::ext_instruction(/* OpGroupNonUniformShuffle */ 345)]]
T GroupNonUniformShuffle(uint scope, T value, uint lane);

template <typename T>
[[vk::ext_capability(/* GroupNonUniformShuffle */ 65)]] [[vk::ext_instruction(/* OpGroupNonUniformShuffleXor */ 346)]]
T GroupNonUniformShuffleXor(uint scope, T value, uint mask);

template <typename T>
[[vk::ext_capability(/* GroupNonUniformShuffleRelative */ 66)]]
[[vk::ext_instruction(/* OpGroupNonUniformShuffleUp */ 347)]]
T GroupNonUniformShuffleUp(uint scope, T value, uint distance);

template <typename T>
[[vk::ext_capability(/* GroupNonUniformShuffleRelative */ 66)]]
[[vk::ext_instruction(/* OpGroupNonUniformShuffleDown */ 348)]]
T GroupNonUniformShuffleDown(uint scope, T value, uint distance);

template <typename T>
T Read(T value, uint lane) { return GroupNonUniformShuffle(kSubgroupScope, value, lane); }
template <typename T>
T Xor(T value, uint mask) { return GroupNonUniformShuffleXor(kSubgroupScope, value, mask); }
template <typename T>
T Up(T value, uint distance) { return GroupNonUniformShuffleUp(kSubgroupScope, value, distance); }
template <typename T>
T Down(T value, uint distance) { return GroupNonUniformShuffleDown(kSubgroupScope, value, distance); }
#else
template <typename T>
T Read(T value, uint lane) { return WaveReadLaneAt(value, lane); }
template <typename T>
T Xor(T value, uint mask) { return WaveReadLaneAt(value, WaveGetLaneIndex() ^ mask); }
template <typename T>
T Up(T value, uint distance) { return WaveReadLaneAt(value, WaveGetLaneIndex() - distance); }
template <typename T>
T Down(T value, uint distance) { return WaveReadLaneAt(value, WaveGetLaneIndex() + distance); }
#endif

}  // namespace native

// Scalars and vectors. `choose` is select(): unlike `?:` it never branches.
template <typename T>
struct Exchange {
  static T read(T value, uint lane) { return native::Read(value, lane); }
  static T flip(T value, uint mask) { return native::Xor(value, mask); }
  static T up(T value, uint distance) { return native::Up(value, distance); }
  static T down(T value, uint distance) { return native::Down(value, distance); }
  static T choose(bool condition, T yes, T no) { return select(condition, yes, no); }
};

#define CROSSLANE_BY_ROWS(NAME, OPERATION)                        \
  static matrix<T, R, C> NAME(matrix<T, R, C> value, uint where) { \
    matrix<T, R, C> result;                                       \
    [unroll] for (int row = 0; row < R; ++row) {                  \
      result[row] = native::OPERATION(value[row], where);         \
    }                                                             \
    return result;                                                \
  }

template <typename T, int R, int C>
struct Exchange<matrix<T, R, C> > {
  CROSSLANE_BY_ROWS(read, Read)
  CROSSLANE_BY_ROWS(flip, Xor)
  CROSSLANE_BY_ROWS(up, Up)
  CROSSLANE_BY_ROWS(down, Down)
  static matrix<T, R, C> choose(bool condition, matrix<T, R, C> yes, matrix<T, R, C> no) {
    matrix<T, R, C> result;
    [unroll] for (int row = 0; row < R; ++row) {
      result[row] = select(condition, yes[row], no[row]);
    }
    return result;
  }
};

#undef CROSSLANE_BY_ROWS

// The same with T deduced, for code that names members and not their types.
namespace member {
template <typename T>
T read(T value, uint lane) { return Exchange<T>::read(value, lane); }
template <typename T>
T flip(T value, uint mask) { return Exchange<T>::flip(value, mask); }
template <typename T>
T up(T value, uint distance) { return Exchange<T>::up(value, distance); }
template <typename T>
T down(T value, uint distance) { return Exchange<T>::down(value, distance); }
template <typename T>
T choose(bool condition, T yes, T no) { return Exchange<T>::choose(condition, yes, no); }
}  // namespace member

}  // namespace crosslane

#endif  // CROSSLANE_DETAIL_EXCHANGE_HLSLI
