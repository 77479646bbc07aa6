// Shuffles with defined edges, the same on Direct3D 12 (DXIL) and Vulkan (SPIR-V).
//
// For lane i of a wave of W lanes:
//
//   function                   returns the value of lane    where that lane is >= W or < 0
//   WaveShuffleUp(v, d)        i - d                        lane i's own value
//   WaveShuffleDown(v, d)      i + d                        lane i's own value
//   WaveShuffleXor(v, m)       i ^ m                        lane i's own value
//   WaveShuffle(v, s)          s mod W                      -
//   SafeReadLane(v, s)         s mod W                      -
//   WaveRotate(v, d)           (i + d) mod W                -
//   WaveBroadcast(v, s)        s mod W, s uniform           -
//
// Distances and lane numbers are int, of any sign and size, and may differ from lane to lane. Nothing wraps that is not
// said to: Up by -1 is Down by 1, a distance beyond the wave is an edge. `mod` is the non-negative remainder; W is a
// power of two on every device. WaveShuffleUp<D>(v) and WaveShuffleDown<D>(v) are the same for a distance that is known
// when the shader is compiled, with the instruction that devices have for it.
//
// The lane that is read must be active: it must run the same call at the same time, and exist in a wave that its thread
// group fills only partly. Else the value is undefined. With CROSSLANE_CHECKED defined the reading lane gets its own
// value instead, for one ballot and some integer instructions per call.
//
// Values are bool, 16-, 32- and 64-bit integers and floats, their vectors and matrices, and structs that
// CROSSLANE_SHUFFLE_STRUCT names. `N` below is the number of shuffle instructions for a value: one for a scalar or a
// vector (devices split a vector into its components, and 64 bits into two halves), one per row of a matrix, and the
// sum over its members for a struct.
#ifndef CROSSLANE_SHUFFLE_HLSLI
#define CROSSLANE_SHUFFLE_HLSLI

#include "lane.hlsli"
#include "detail/exchange.hlsli"
#include "detail/members.hlsli"

namespace crosslane {
namespace detail {

// True where lane `source` can be read: it is in the wave, and active where that is checked.
bool IsReadable(uint source) {
#if defined(CROSSLANE_CHECKED)
  return and(source < WaveGetLaneCount(), IsLaneIn(ActiveLanes(), source));
#else
  return source < WaveGetLaneCount();
#endif
}

// The value of lane `source`, or the own one where that lane cannot be read. The source is chosen before the shuffle,
// so that a lane at the edge reads itself and every lane takes part.
template <typename T>
T ReadOrOwn(T value, uint source) {
  return Exchange<T>::read(value, select(IsReadable(source), source, WaveGetLaneIndex()));
}

// The value of lane `source`, which is in the wave.
template <typename T>
T ReadInside(T value, uint source) {
#if defined(CROSSLANE_CHECKED)
  return ReadOrOwn(value, source);
#else
  return Exchange<T>::read(value, source);
#endif
}

// A distance known at compile time, towards lower or higher lanes. The instruction is given the constant, and the edge
// is chosen afterwards: a constant distance is what devices have fast paths for.
template <bool Lower>
struct Towards {
  template <typename T>
  static T read(T value, uint distance) {
    return Exchange<T>::choose(distance <= WaveGetLaneIndex(), Exchange<T>::up(value, distance), value);
  }
};
template <>
struct Towards<false> {
  template <typename T>
  static T read(T value, uint distance) {
    return Exchange<T>::choose(WaveGetLaneIndex() + distance < WaveGetLaneCount(), Exchange<T>::down(value, distance),
                               value);
  }
};

}  // namespace detail
}  // namespace crosslane

// The value `distance` lanes below: of lane i - distance; lane i's own value where there is no such lane.
// Undefined where that lane is inactive, unless CROSSLANE_CHECKED.
// Cost: N index shuffles, one subtraction, one comparison, one select.
template <typename T>
T WaveShuffleUp(T value, int distance) {
  // Unsigned: what is below 0 becomes a number far beyond the wave, also for the most negative distance.
  return crosslane::detail::ReadOrOwn(value, WaveGetLaneIndex() - uint(distance));
}

// The value `distance` lanes above: of lane i + distance; lane i's own value where there is no such lane.
// Undefined where that lane is inactive, unless CROSSLANE_CHECKED.
// Cost: N index shuffles, one addition, one comparison, one select.
template <typename T>
T WaveShuffleDown(T value, int distance) {
  return crosslane::detail::ReadOrOwn(value, WaveGetLaneIndex() + uint(distance));
}

// WaveShuffleUp(value, Distance) for a distance known at compile time.
// Cost: N up shuffles (down for a negative distance), one comparison, N selects.
template <int Distance, typename T>
T WaveShuffleUp(T value) {
#if defined(CROSSLANE_CHECKED)
  return WaveShuffleUp(value, Distance);
#else
  return crosslane::detail::Towards<(Distance >= 0)>::read(value, Distance >= 0 ? uint(Distance) : 0u - uint(Distance));
#endif
}

// WaveShuffleDown(value, Distance) for a distance known at compile time.
// Cost: N down shuffles (up for a negative distance), one addition, one comparison, N selects.
template <int Distance, typename T>
T WaveShuffleDown(T value) {
#if defined(CROSSLANE_CHECKED)
  return WaveShuffleDown(value, Distance);
#else
  return crosslane::detail::Towards<(Distance < 0)>::read(value, Distance >= 0 ? uint(Distance) : 0u - uint(Distance));
#endif
}

// The value of lane i ^ mask; lane i's own value where there is no such lane, so for every negative mask.
// Undefined where that lane is inactive, unless CROSSLANE_CHECKED. Fastest where `mask` is a constant.
// Cost: N xor shuffles, one xor, one comparison, N selects.
template <typename T>
T WaveShuffleXor(T value, int mask) {
  const uint source = WaveGetLaneIndex() ^ uint(mask);
#if defined(CROSSLANE_CHECKED)
  return crosslane::detail::ReadOrOwn(value, source);
#else
  return crosslane::Exchange<T>::choose(crosslane::detail::IsReadable(source),
                                        crosslane::Exchange<T>::flip(value, uint(mask)), value);
#endif
}

// The value of lane source mod W; -1 is the last lane of the wave.
// Undefined where that lane is inactive, unless CROSSLANE_CHECKED.
// Cost: N index shuffles, one subtraction, one and.
template <typename T>
T WaveShuffle(T value, int source) {
  return crosslane::detail::ReadInside(value, uint(source) & (WaveGetLaneCount() - 1));
}

// WaveShuffle under the name that says why: HLSL's own WaveReadLaneAt is undefined for a lane beyond the wave.
template <typename T>
T SafeReadLane(T value, int source) {
  return WaveShuffle(value, source);
}

// The value of lane (i + distance) mod W: what leaves the wave at one end comes in at the other.
// Undefined where that lane is inactive, as in a wave that is partly filled, unless CROSSLANE_CHECKED.
// Cost: N index shuffles, one addition, one subtraction, one and.
template <typename T>
T WaveRotate(T value, int distance) {
  return crosslane::detail::ReadInside(value, (WaveGetLaneIndex() + uint(distance)) & (WaveGetLaneCount() - 1));
}

// The value of lane source mod W for all lanes; `source` is the same in every active lane of the wave.
// Undefined where that lane is inactive, unless CROSSLANE_CHECKED. WaveReadLaneFirst needs no lane number.
// Cost: that of WaveShuffle.
template <typename T>
T WaveBroadcast(T value, int source) {
  return WaveShuffle(value, source);
}

// Makes all functions of this file, and WaveReadLaneAt, work for the struct `Type` by shuffling the members named, one
// to eight of them; a member that is not named is zero in the result. A member may be a struct that was named before.
//
//   struct Complex { float re, im; };
//   CROSSLANE_SHUFFLE_STRUCT(Complex, re, im)
//
// Write it at global scope, after the struct. Each member costs its own shuffles: leave out what the reader does not
// need, and pack small members first.
#define CROSSLANE_SHUFFLE_STRUCT(Type, ...)                           \
  namespace crosslane {                                               \
  template <>                                                         \
  struct Exchange<Type> {                                             \
    static Type read(Type value, uint lane) {                         \
      Type result = (Type)0;                                          \
      CROSSLANE_EACH(CROSSLANE_READ_MEMBER, __VA_ARGS__)              \
      return result;                                                  \
    }                                                                 \
    static Type flip(Type value, uint mask) {                         \
      Type result = (Type)0;                                          \
      CROSSLANE_EACH(CROSSLANE_FLIP_MEMBER, __VA_ARGS__)              \
      return result;                                                  \
    }                                                                 \
    static Type up(Type value, uint distance) {                       \
      Type result = (Type)0;                                          \
      CROSSLANE_EACH(CROSSLANE_UP_MEMBER, __VA_ARGS__)                \
      return result;                                                  \
    }                                                                 \
    static Type down(Type value, uint distance) {                     \
      Type result = (Type)0;                                          \
      CROSSLANE_EACH(CROSSLANE_DOWN_MEMBER, __VA_ARGS__)              \
      return result;                                                  \
    }                                                                 \
    static Type choose(bool condition, Type yes, Type no) {           \
      Type result = (Type)0;                                          \
      CROSSLANE_EACH(CROSSLANE_CHOOSE_MEMBER, __VA_ARGS__)            \
      return result;                                                  \
    }                                                                 \
  };                                                                  \
  }                                                                   \
  Type WaveReadLaneAt(Type value, uint lane) { return crosslane::Exchange<Type>::read(value, lane); }

#endif  // CROSSLANE_SHUFFLE_HLSLI
