// Values of every type as pairs of 32-bit words, one pair per component, so that one host program can check them all.
// load(at) and store(at, value) walk `at` through the pairs of a value.
#ifndef CROSSLANE_TESTS_HLSL_CODEC_HLSLI
#define CROSSLANE_TESTS_HLSL_CODEC_HLSLI

#include "../../../kernels/verify/words.hlsli"
#include "crosslane/detail/members.hlsli"

#if defined(__spirv__)
#define BINDING(slot) [[vk::binding(slot)]]
#define PUSH_CONSTANT [[vk::push_constant]]
#else
#define BINDING(slot)
#define PUSH_CONSTANT
#endif

BINDING(0) StructuredBuffer<uint2> value_words;
BINDING(1) RWStructuredBuffer<uint2> result_words;

template <typename T>
struct Codec {
  static T load(inout uint at) { return Words<T>::value(value_words[at++]); }
  static void store(inout uint at, T value) { result_words[at++] = Words<T>::of(value); }
};

template <typename T, int N>
struct Codec<vector<T, N> > {
  static vector<T, N> load(inout uint at) {
    vector<T, N> value;
    [unroll] for (int i = 0; i < N; ++i) {
      value[i] = Codec<T>::load(at);
    }
    return value;
  }
  static void store(inout uint at, vector<T, N> value) {
    [unroll] for (int i = 0; i < N; ++i) {
      Codec<T>::store(at, value[i]);
    }
  }
};

template <typename T, int R, int C>
struct Codec<matrix<T, R, C> > {
  static matrix<T, R, C> load(inout uint at) {
    matrix<T, R, C> value;
    [unroll] for (int row = 0; row < R; ++row) {
      [unroll] for (int column = 0; column < C; ++column) {
        value[row][column] = Codec<T>::load(at);
      }
    }
    return value;
  }
  static void store(inout uint at, matrix<T, R, C> value) {
    [unroll] for (int row = 0; row < R; ++row) {
      [unroll] for (int column = 0; column < C; ++column) {
        Codec<T>::store(at, value[row][column]);
      }
    }
  }
};

template <typename T>
void load_member(inout uint at, out T member) {
  member = Codec<T>::load(at);
}
template <typename T>
void store_member(inout uint at, T member) {
  Codec<T>::store(at, member);
}

#define CODEC_LOAD_MEMBER(name) load_member(at, value.name);
#define CODEC_STORE_MEMBER(name) store_member(at, value.name);

#define CODEC_STRUCT(Type, ...)                    \
  template <>                                      \
  struct Codec<Type> {                             \
    static Type load(inout uint at) {              \
      Type value;                                  \
      CROSSLANE_EACH(CODEC_LOAD_MEMBER, __VA_ARGS__) \
      return value;                                \
    }                                              \
    static void store(inout uint at, Type value) { \
      CROSSLANE_EACH(CODEC_STORE_MEMBER, __VA_ARGS__) \
    }                                              \
  };

#endif  // CROSSLANE_TESTS_HLSL_CODEC_HLSLI
