// Makes complex numbers of what the caller's arrays are made of (numbers.hlsli), or the reverse, before or behind passes that know
// nothing else. A thread for each point.
#include "line.hlsli"

[numthreads(THREADS, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  const uint number = params.first_line + thread.x;
  if (number < params.end_line) {
    const uint transform = number / params.points;
    const uint k = number % params.points;
    WritePoint(FirstOf(params.to, transform), k, ReadPoint(FirstOf(params.from, transform), k));
  }
}
