#version 330 core
// One pixel of a matrix: find its cell (or its cells), find their number, find its colour.
uniform sampler2D values;  // the numbers, pooled so that at most two cells of an axis begin in one pixel
uniform sampler2D palettes; // 256 colours a row
uniform vec2 picture;      // width and height of the picture in pixels
uniform vec2 origin;       // top left corner of the texture's first cell, in pixels from the picture's top left
uniform vec2 cell;         // pixels one texel of `values` covers
uniform vec2 range;        // numbers at the two ends of the palette
uniform float palette;     // vertical place of the palette's row
uniform float dimming;
uniform vec3 background, hatch, alarm;
uniform vec4 grid;         // colour and strength of the lines between cells
out vec4 colour;

const float smallest_cell_with_grid = 8.0;

// The order that pooling on the CPU follows: −∞ weakest, then magnitude, then +∞, then NaN.
float strength(float value) {
    if (isnan(value)) return 4e38;
    if (isinf(value)) return value > 0.0 ? 3.9e38 : -1.0;
    return abs(value);
}

float strongest(ivec2 first, ivec2 last) {
    float best = texelFetch(values, first, 0).r;
    for (int row = first.y; row <= last.y; ++row)
        for (int column = first.x; column <= last.x; ++column) {
            float value = texelFetch(values, ivec2(column, row), 0).r;
            if (strength(value) > strength(best)) best = value;
        }
    return best;
}

// Diagonal stripes, fixed to the screen so that neighbouring cells join without a seam.
float stripes(vec2 at, float period) {
    float distance_to_line = abs(mod(at.x + at.y, period) - 0.5 * period);
    return 1.0 - smoothstep(0.5, 1.25, distance_to_line);
}

void main() {
    vec2 screen = vec2(gl_FragCoord.x, picture.y - gl_FragCoord.y);
    vec2 at = screen - origin; // the pixel's centre
    ivec2 size = textureSize(values, 0);

    // Where cells are wider than pixels, the cell at the centre; where narrower, all that the pixel touches.
    ivec2 first = ivec2(floor(at / cell)), last = first;
    vec2 from = floor((at - 0.5) / cell + 0.001), to = ceil((at + 0.5) / cell - 0.001) - 1.0;
    if (cell.x < 1.0) { first.x = int(from.x); last.x = int(to.x); }
    if (cell.y < 1.0) { first.y = int(from.y); last.y = int(to.y); }
    first = clamp(first, ivec2(0), size - 1);
    last = clamp(last, first, size - 1);
    float value = strongest(first, last);

    vec3 shown;
    if (isnan(value) || (isinf(value) && value > 0.0)) {
        // Loud, and crossed out where the cell is large enough to be crossed out.
        vec2 inside = (at - vec2(first) * cell) / cell;
        float cross_out = min(abs(inside.x - inside.y), abs(inside.x + inside.y - 1.0)) * cell.x;
        bool large = min(cell.x, cell.y) >= 6.0;
        shown = large && isnan(value) ? mix(background, alarm, smoothstep(0.6, 1.6, cross_out)) : alarm;
    } else if (isinf(value)) {
        shown = mix(background, hatch, stripes(screen, 6.0));
    } else {
        float place = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
        shown = texture(palettes, vec2((place * 255.0 + 0.5) / 256.0, palette)).rgb;
    }
    shown = mix(shown, background, dimming);

    // A line where a cell begins. Cells keep at least seven pixels of their own.
    if (min(cell.x, cell.y) >= smallest_cell_with_grid) {
        ivec2 before = ivec2(floor((at - 1.0) / cell));
        bool starts = (before.x < first.x && first.x > 0) || (before.y < first.y && first.y > 0);
        if (starts) shown = mix(shown, grid.rgb, grid.a);
    }
    colour = vec4(shown, 1);
}
