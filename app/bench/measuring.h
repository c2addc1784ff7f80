// What measurements of the window share: clocks, percentiles, and a camera that never rests.
#pragma once

#include "app/canvas/canvas.h"

#include <chrono>
#include <vector>

namespace headlight {

struct Percentiles {
    double median = 0, p90 = 0, p99 = 0, most = 0; // milliseconds
    long count = 0;
};

Percentiles percentiles_of(std::vector<double> seconds);

// Seconds of this thread's own work: neither what else the machine does is counted nor, without a graphics
// card, the rasteriser's threads.
double thread_cpu_seconds();
// Of all threads of this program.
double process_cpu_seconds();

using WallTime = std::chrono::steady_clock::time_point;
// By the clock on the wall.
WallTime after(double seconds);

double resident_megabytes();

// What the program holds of the machine at this moment; 0 where the system does not tell.
struct Holdings {
    double resident_megabytes = 0;
    double allocated_megabytes = 0; // asked for and not given back
    long descriptors = 0, threads = 0;
};
Holdings holdings();

// One move of the camera: 240 of them, four seconds, lead from everything to the numbers of a value and back.
void move_camera(Canvas& canvas, long frame);

} // namespace headlight
