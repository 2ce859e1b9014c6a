"""ray: the geometry and shading of a small ray tracer, with five drivers.

Subject of the concolic walk's evaluation: `normalise_driver`, `intersect_driver`, `trace_driver`,
`phong_driver` and `shade_driver`, each over flat numbers. The original computes in 32-bit floats;
here they are Python floats, with the largest 32-bit float kept as the start of a ray's reach.
Chosen: at most three reflections, white light, and a unit sphere before the eye when shading.
"""

import math
from dataclasses import dataclass

FLOAT_MAX = 3.4028234663852886e38
SHADOW_OFFSET = 0.001
REFLECTION_SCALE = 0.00392156
BOUNCES = 3

AMBIENT = 0
DIRECTIONAL = 1
POINT = 2

Vector = tuple[float, float, float]
Colour = tuple[float, float, float]

BLACK: Colour = (0.0, 0.0, 0.0)
BACKGROUND: Colour = (0.2, 0.25, 0.3)


@dataclass(slots=True)
class Sphere:
    """A sphere and its surface: colour, ambient, diffuse, specular, shininess and reflection."""

    centre: Vector
    radius: float
    colour: Colour = (1.0, 1.0, 1.0)
    ka: float = 0.2
    kd: float = 0.6
    ks: float = 0.4
    shininess: float = 8.0
    r: float = 0.0


@dataclass(slots=True)
class Light:
    """A light: ambient, from a direction, or at a point."""

    kind: int
    where: Vector
    colour: Colour


@dataclass(slots=True)
class Ray:
    """A ray; `t` is the distance of the nearest hit so far, `hit` what was hit."""

    origin: Vector
    direction: Vector
    t: float = FLOAT_MAX
    hit: Sphere | None = None


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a: Vector, factor: float) -> Vector:
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def normalise(a: Vector) -> Vector:
    """The vector at length 1; a zero vector stays as it is."""
    squared = dot(a, a)
    if squared != 0.0 and squared != 1.0:
        return scale(a, 1.0 / math.sqrt(squared))
    return a


def intersect(sphere: Sphere, ray: Ray) -> bool:
    """Whether the ray hits the sphere nearer than anything so far; then the hit is noted."""
    to_centre = subtract(sphere.centre, ray.origin)
    v = dot(ray.direction, to_centre)
    if v - sphere.radius > ray.t:
        return False
    discriminant = sphere.radius * sphere.radius + v * v - dot(to_centre, to_centre)
    if discriminant < 0.0:
        return False
    t = v - math.sqrt(discriminant)
    if t > ray.t or t < 0.0:
        return False
    ray.t = t
    ray.hit = sphere
    return True


def trace(ray: Ray, spheres: list[Sphere]) -> bool:
    """Whether the ray hits any of the spheres."""
    ray.t = FLOAT_MAX
    ray.hit = None
    for sphere in spheres:
        intersect(sphere, ray)
    return ray.hit is not None


def render(ray: Ray, spheres: list[Sphere], lights: list[Light], bounces: int) -> Colour:
    """The colour a ray brings back."""
    trace(ray, spheres)
    if ray.hit is None or bounces == 0:
        return BACKGROUND
    return shade(ray.hit, ray, spheres, lights, bounces)


def shade(
    sphere: Sphere, ray: Ray, spheres: list[Sphere], lights: list[Light], bounces: int
) -> Colour:
    """The colour of the place where the ray hit the sphere."""
    place = add(ray.origin, scale(ray.direction, ray.t))
    normal = normalise(subtract(place, sphere.centre))
    view = scale(ray.direction, -1.0)
    return phong(sphere, place, normal, view, spheres, lights, bounces)


def phong(
    sphere: Sphere,
    place: Vector,
    normal: Vector,
    view: Vector,
    spheres: list[Sphere],
    lights: list[Light],
    bounces: int,
) -> Colour:
    """Ambient, diffuse and specular light at a place, and what is reflected there."""
    red, green, blue = BLACK
    for light in lights:
        if light.kind == AMBIENT:
            red = red + sphere.ka * sphere.colour[0] * light.colour[0]
            green = green + sphere.ka * sphere.colour[1] * light.colour[1]
            blue = blue + sphere.ka * sphere.colour[2] * light.colour[2]
            continue
        if light.kind == POINT:
            towards = normalise(subtract(light.where, place))
        else:
            towards = scale(light.where, -1.0)
        offset = add(place, scale(towards, SHADOW_OFFSET))
        if trace(Ray(offset, towards), spheres):
            continue
        lambert = dot(normal, towards)
        if lambert > 0.0:
            if sphere.kd > 0.0:
                diffuse = sphere.kd * lambert
                red = red + diffuse * sphere.colour[0] * light.colour[0]
                green = green + diffuse * sphere.colour[1] * light.colour[1]
                blue = blue + diffuse * sphere.colour[2] * light.colour[2]
            if sphere.ks > 0.0:
                mirrored = subtract(scale(normal, 2.0 * lambert), towards)
                specular = dot(mirrored, view)
                if specular > 0.0:
                    highlight = sphere.ks * math.pow(specular, sphere.shininess)
                    red = red + highlight * light.colour[0]
                    green = green + highlight * light.colour[1]
                    blue = blue + highlight * light.colour[2]
    kr = sphere.r * REFLECTION_SCALE
    if kr > 0.0:
        facing = dot(view, normal)
        if facing > 0.0:
            reflected = subtract(scale(normal, 2.0 * facing), view)
            start = add(place, scale(reflected, SHADOW_OFFSET))
            colour = render(Ray(start, reflected), spheres, lights, bounces - 1)
            red = red + kr * colour[0]
            green = green + kr * colour[1]
            blue = blue + kr * colour[2]
    return clamp(red), clamp(green), clamp(blue)


def clamp(part: float) -> float:
    if part > 1.0:
        return 1.0
    return part


def normalise_driver(x: float, y: float, z: float) -> Vector:
    return normalise((x, y, z))


def intersect_driver(
    cx: float,
    cy: float,
    cz: float,
    radius: float,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
) -> bool:
    return intersect(Sphere((cx, cy, cz), radius), Ray((ox, oy, oz), (dx, dy, dz)))


def trace_driver(
    cx: float, cy: float, cz: float, radius: float, dx: float, dy: float, dz: float
) -> bool:
    """From the origin, along a direction brought to length 1."""
    direction = normalise((dx, dy, dz))
    return trace(Ray((0.0, 0.0, 0.0), direction), [Sphere((cx, cy, cz), radius)])


def phong_driver(
    light_kind: int,
    lx: float,
    ly: float,
    lz: float,
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
    vx: float,
    vy: float,
    vz: float,
    kd: float,
    ks: float,
    r: float,
) -> Colour:
    """One light on a unit sphere around (0, 0, 5)."""
    sphere = Sphere((0.0, 0.0, 5.0), 1.0, kd=kd, ks=ks, r=r)
    light = Light(light_kind, (lx, ly, lz), (1.0, 1.0, 1.0))
    return phong(sphere, (px, py, pz), (nx, ny, nz), (vx, vy, vz), [sphere], [light], BOUNCES)


def shade_driver(
    light_kind: int,
    lx: float,
    ly: float,
    lz: float,
    dx: float,
    dy: float,
    dz: float,
    t: float,
    r: float,
) -> Colour:
    """Shade the same sphere where a ray from the origin is after a distance t."""
    sphere = Sphere((0.0, 0.0, 5.0), 1.0, r=r)
    light = Light(light_kind, (lx, ly, lz), (1.0, 1.0, 1.0))
    ray = Ray((0.0, 0.0, 0.0), (dx, dy, dz), t)
    return shade(sphere, ray, [sphere], [light], BOUNCES)
