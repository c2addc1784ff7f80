#version 330 core
// The rectangle of one matrix, cut to the part of it that is drawn.
uniform vec4 rectangle; // left, top, right, bottom in pixels from the top left corner of the picture
uniform vec2 picture;   // width and height of the picture in pixels

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 pixel = mix(rectangle.xy, rectangle.zw, corner);
    gl_Position = vec4(pixel / picture * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
