/** A board of several layers in three dimensions, by three.js: loaded when it is asked for, it knows no game either. */

import {
  AmbientLight, BufferGeometry, CanvasTexture, Color, CylinderGeometry, DirectionalLight, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments,
  Mesh, MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera, PlaneGeometry, Raycaster, RingGeometry, Scene as Space, SphereGeometry, Sprite,
  SpriteMaterial, Vector2, Vector3, WebGLRenderer, DoubleSide, type Object3D,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { gridsOf } from "../draw/layout";
import type { Highlights } from "../draw/painter";
import { type Colour, type Theme, colourOf, css, mixed } from "../draw/palette";
import { shots } from "../draw/motion";
import { sprite } from "../draw/sprites";
import { placeNames } from "../scene/say";
import { type Piece, type Place, type Scene, key } from "../scene/types";
import type { Board3d } from "../ui/stage";

const SPAN = 10; // how wide the widest layer is
const RISE = 3.4; // from layer to layer
const SPRITE = 128; // dots of a piece's picture

export function make(): Board3d {
  return new Boards();
}

class Boards implements Board3d {
  readonly element = document.createElement("div");
  onpick: Board3d["onpick"] = () => {};
  onhover: Board3d["onhover"] = () => {};
  private readonly renderer = new WebGLRenderer({ antialias: true });
  private readonly space = new Space();
  private readonly camera = new PerspectiveCamera(42, 1, 0.1, 200);
  private readonly controls: OrbitControls;
  private readonly fixed = new Group();
  private readonly loose = new Group();
  private readonly knots: Mesh[] = [];
  private readonly textures = new Map<string, CanvasTexture>();
  private look: Theme | null = null;
  private built: unknown = null;
  private shown: [Scene, Scene | null, number, Highlights | null] | null = null;
  private isEnded = false;

  constructor() {
    this.element.className = "space";
    this.element.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "board in three dimensions");
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.maxDistance = 60;
    this.controls.minDistance = 4;
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(6, 14, 9);
    this.space.add(new AmbientLight(0xffffff, 1.5), sun, this.fixed, this.loose);
    this.controls.addEventListener("change", () => this.render());
    this.listen();
    this.fit();
    this.turn();
  }

  /** Let damped turning run out. */
  private readonly turn = (): void => {
    if (this.isEnded) return;
    this.controls.update();
    requestAnimationFrame(this.turn);
  };

  private listen(): void {
    let start: [number, number] = [0, 0];
    const canvas = this.renderer.domElement;
    canvas.addEventListener("pointerdown", (event) => (start = [event.offsetX, event.offsetY]));
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.offsetX - start[0], event.offsetY - start[1]) < 6) this.onpick(this.placeAt(event), event.offsetX, event.offsetY);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) this.onhover(this.placeAt(event), event.offsetX, event.offsetY);
    });
  }

  private placeAt(event: PointerEvent): Place | null {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((event.offsetX / clientWidth) * 2 - 1, 1 - (event.offsetY / clientHeight) * 2), this.camera);
    return (ray.intersectObjects(this.knots)[0]?.object.userData.place as Place) ?? null;
  }

  /** Return where a place is: all layers cover one square, the first one on top. */
  private spot(scene: Scene, [x, y, z]: Place): Vector3 {
    const { width, height, layers } = scene.board;
    return new Vector3((x / Math.max(1, width - 1) - 0.5) * SPAN, ((layers - 1) / 2 - z) * RISE, (y / Math.max(1, height - 1) - 0.5) * SPAN);
  }

  theme(theme: Theme): void {
    this.look = theme;
    this.built = null;
    for (const texture of this.textures.values()) texture.dispose();
    this.textures.clear();
    this.space.background = ink(theme.ground);
    if (this.shown) this.show(...this.shown);
  }

  show(scene: Scene, before: Scene | null, t: number, highlights: Highlights | null): void {
    this.shown = [scene, before, t, highlights];
    if (!this.look) return;
    if (this.built !== scene.board) this.build(scene);
    clear(this.loose);
    this.dress(scene, highlights);
    const then = new Map((before ?? scene).pieces.map((piece) => [piece.id, piece]));
    const share = t * t * (3 - 2 * t);
    for (const piece of scene.pieces) this.stand(scene, piece, then.get(piece.id), share, t);
    this.lines(scene, t);
    this.render();
  }

  private render(): void {
    this.renderer.render(this.space, this.camera);
  }

  /** Build what never changes: plates, the net of lines, and a knot for each place with its name. */
  private build(scene: Scene): void {
    const theme = this.look!;
    clear(this.fixed);
    this.knots.length = 0;
    this.built = scene.board;
    const { grids, holes } = gridsOf(scene.board);
    const plate = new MeshBasicMaterial({ color: ink(mixed(theme.plate, theme.dim, 0.16)), transparent: true, opacity: 0.34, side: DoubleSide, depthWrite: false });
    const knot = new MeshStandardMaterial({ color: ink(mixed(theme.floor, theme.dim, 0.25)), roughness: 0.8 });
    const names = placeNames(scene.board);
    grids.forEach((grid, z) => {
      const sheet = new Mesh(new PlaneGeometry(SPAN + 1.4, SPAN + 1.4), plate);
      sheet.rotation.x = -Math.PI / 2;
      sheet.position.copy(this.spot(scene, [0, 0, z])).setX(0).setZ(0);
      sheet.position.y -= 0.12;
      this.fixed.add(sheet);
      for (const y of grid.rows.keys()) {
        for (const x of grid.columns.keys()) {
          if (holes.has(key(x, y, z))) continue;
          const mesh = new Mesh(new CylinderGeometry(0.34, 0.4, 0.14, 28), knot);
          mesh.position.copy(this.spot(scene, [x, y, z]));
          mesh.userData.place = [x, y, z];
          this.knots.push(mesh);
          const label = this.label(names.get(key(x, y, z)) ?? "", theme.dim, 0.42);
          label.position.copy(mesh.position).add(new Vector3(-0.44, 0.1, -0.44));
          this.fixed.add(mesh, label);
        }
      }
    });
    const points = scene.board.links.flatMap((link) => [
      ...this.spot(scene, [link.x, link.y, link.z]).toArray(), ...this.spot(scene, [link.toX, link.toY, link.toZ]).toArray(),
    ]);
    const net = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
    this.fixed.add(new LineSegments(net, new LineBasicMaterial({ color: ink(theme.dim), transparent: true, opacity: 0.35 })));
  }

  /** Colour the places of a scene: cells, marks and what a person may do. */
  private dress(scene: Scene, highlights: Highlights | null): void {
    const theme = this.look!;
    for (const cell of scene.cells) {
      if (cell.role === "floor" && !cell.amount) continue;
      const disc = new Mesh(new CylinderGeometry(0.46, 0.46, 0.1, 32), new MeshStandardMaterial({ color: ink(mixed(theme.floor, colourOf(theme, cell.role), 0.75)), roughness: 0.7 }));
      disc.position.copy(this.spot(scene, [cell.x, cell.y, cell.z]));
      this.loose.add(disc);
      const said = [cell.text, cell.amount].filter(Boolean).join(" ");
      if (said) {
        const label = this.label(said, theme.text, 0.5);
        label.position.copy(disc.position).add(new Vector3(0, 0.34, 0));
        this.loose.add(label);
      }
    }
    const ring = (place: Place, role: string, wide: number): void => {
      const mesh = new Mesh(new RingGeometry(wide, wide + 0.1, 40), new MeshBasicMaterial({ color: ink(colourOf(theme, role)), side: DoubleSide }));
      mesh.rotation.x = -Math.PI / 2;
      mesh.position.copy(this.spot(scene, place)).add(new Vector3(0, 0.1, 0));
      this.loose.add(mesh);
    };
    for (const mark of scene.marks) ring([mark.x, mark.y, mark.z], mark.role, 0.5);
    for (const place of highlights?.targets ?? []) ring(place, "goal", 0.62);
    for (const place of [...(highlights?.pointed ?? []), ...(highlights?.picked ? [highlights.picked] : [])]) ring(place, "goal", 0.76);
  }

  private stand(scene: Scene, piece: Piece, old: Piece | undefined, share: number, t: number): void {
    const theme = this.look!;
    const to = this.spot(scene, [piece.x, piece.y, piece.z]);
    const at = old ? this.spot(scene, [old.x, old.y, old.z]).lerp(to, share) : to;
    const faint = old ? 1 : t;
    const picture = this.texture(`piece ${piece.seat} ${piece.role} ${piece.icon} ${piece.text}`, () => sprite(theme, { ...piece, facing: "" }, SPRITE));
    const body = new Sprite(new SpriteMaterial({ map: picture, transparent: true, opacity: faint, depthWrite: false }));
    const size = 1.15 + Math.min(0.5, 0.12 * Math.log2(1 + Math.abs(piece.amount)));
    body.scale.setScalar(size);
    body.position.copy(at).add(new Vector3(0, size * 0.52, 0));
    body.renderOrder = 2;
    const base = new Mesh(new SphereGeometry(0.2, 20, 12), new MeshStandardMaterial({ color: ink(colourOf(theme, piece.role)), roughness: 0.5 }));
    base.position.copy(at).add(new Vector3(0, 0.1, 0));
    this.loose.add(base, body);
    if (piece.amount) {
      const label = this.label(piece.text, theme.text, 0.5, theme.ground);
      label.position.copy(body.position).add(new Vector3(0.42, size * 0.42, 0));
      label.renderOrder = 3;
      this.loose.add(label);
    }
  }

  private lines(scene: Scene, t: number): void {
    if (t < 0.4) return;
    for (const link of shots(scene)) {
      const from = this.spot(scene, [link.x, link.y, link.z]), to = this.spot(scene, [link.toX, link.toY, link.toZ]);
      const length = from.distanceTo(to);
      if (!length) continue;
      const beam = new Mesh(new CylinderGeometry(0.03, 0.09, length, 10), new MeshBasicMaterial({ color: ink(colourOf(this.look!, link.role)) }));
      beam.position.copy(from).lerp(to, 0.5).add(new Vector3(0, 0.3, 0));
      beam.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), to.clone().sub(from).normalize());
      this.loose.add(beam);
    }
  }

  /** Return a short text as a picture that always faces who looks. */
  private label(text: string, colour: Colour, size: number, ground: Colour | null = null): Sprite {
    const map = this.texture(`label ${text} ${colour} ${ground}`, () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [128, 64];
      const to = canvas.getContext("2d")!;
      if (ground) {
        to.fillStyle = css(ground, 0.9);
        to.beginPath();
        to.roundRect(24, 6, 80, 52, 18);
        to.fill();
      }
      to.font = '600 40px "Inter Variable", sans-serif';
      to.textAlign = "center";
      to.textBaseline = "middle";
      to.fillStyle = css(colour);
      to.fillText(text, 64, 34, 120);
      return canvas;
    });
    const found = new Sprite(new SpriteMaterial({ map, transparent: true, depthWrite: false }));
    found.scale.set(size * 2, size, 1);
    return found;
  }

  private texture(name: string, draw: () => HTMLCanvasElement): CanvasTexture {
    let found = this.textures.get(name);
    if (!found) {
      found = new CanvasTexture(draw());
      found.colorSpace = "srgb";
      this.textures.set(name, found);
    }
    return found;
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  zoom(by: number): void {
    this.camera.position.multiplyScalar(1 / by);
    this.controls.update();
    this.render();
  }

  pan(dx: number, dy: number): void {
    const shift = new Vector3(-dx, dy, 0).multiplyScalar(0.02).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
    this.render();
  }

  fit(): void {
    this.camera.position.set(14, 14, 24);
    this.controls.target.set(0, 0, 0);
    this.controls.update();
    this.render();
  }

  end(): void {
    this.isEnded = true;
    clear(this.loose);
    clear(this.fixed);
    for (const texture of this.textures.values()) texture.dispose();
    this.controls.dispose();
    this.renderer.dispose();
  }
}

function ink([red, green, blue]: Colour): Color {
  return new Color(`rgb(${red}, ${green}, ${blue})`);
}

function clear(group: Group): void {
  for (const thing of [...group.children]) {
    group.remove(thing);
    release(thing);
  }
}

/** Give back what a thing holds on the graphics card; pictures are kept. */
function release(thing: Object3D): void {
  if (thing instanceof Mesh || thing instanceof LineSegments) {
    thing.geometry.dispose();
    for (const material of [thing.material].flat()) material.dispose();
  } else if (thing instanceof Sprite) thing.material.dispose();
}
