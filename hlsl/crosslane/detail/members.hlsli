// Repeats a macro for each of one to eight names: the machinery behind CROSSLANE_SHUFFLE_STRUCT.
#ifndef CROSSLANE_DETAIL_MEMBERS_HLSLI
#define CROSSLANE_DETAIL_MEMBERS_HLSLI

#define CROSSLANE_EACH_1(DO, a) DO(a)
#define CROSSLANE_EACH_2(DO, a, b) DO(a) DO(b)
#define CROSSLANE_EACH_3(DO, a, b, c) DO(a) DO(b) DO(c)
#define CROSSLANE_EACH_4(DO, a, b, c, d) DO(a) DO(b) DO(c) DO(d)
#define CROSSLANE_EACH_5(DO, a, b, c, d, e) DO(a) DO(b) DO(c) DO(d) DO(e)
#define CROSSLANE_EACH_6(DO, a, b, c, d, e, f) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f)
#define CROSSLANE_EACH_7(DO, a, b, c, d, e, f, g) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f) DO(g)
#define CROSSLANE_EACH_8(DO, a, b, c, d, e, f, g, h) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f) DO(g) DO(h)

#define CROSSLANE_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define CROSSLANE_EACH(DO, ...)                                                                                      \
  CROSSLANE_NINTH(__VA_ARGS__, CROSSLANE_EACH_8, CROSSLANE_EACH_7, CROSSLANE_EACH_6, CROSSLANE_EACH_5,               \
                  CROSSLANE_EACH_4, CROSSLANE_EACH_3, CROSSLANE_EACH_2, CROSSLANE_EACH_1, )(DO, __VA_ARGS__)

#define CROSSLANE_READ_MEMBER(name) result.name = member::read(value.name, lane);
#define CROSSLANE_FLIP_MEMBER(name) result.name = member::flip(value.name, mask);
#define CROSSLANE_UP_MEMBER(name) result.name = member::up(value.name, distance);
#define CROSSLANE_DOWN_MEMBER(name) result.name = member::down(value.name, distance);
#define CROSSLANE_CHOOSE_MEMBER(name) result.name = member::choose(condition, yes.name, no.name);

#endif  // CROSSLANE_DETAIL_MEMBERS_HLSLI
