/** The board of a scene: the picture that the game draws; to choose squares on, and without one, a grid on the map. */
import { html, usePicture } from './ui.js';

const COLOURS = 6;
const PIXELS = 32;
const MARGIN = 2;

export function Board({ scene, picking, actor }) {
  const drawn = usePicture(scene.boardUrl, scene.seq);
  const places = scene.card?.actors.filter((one) => one.at) ?? [];
  return html`
    ${drawn && !picking &&
    html`<div class="scroll board" tabindex="0" role="region" aria-label="Board">
      <img src=${drawn} alt="The board of the scene; what stands on it is told by the cards below." />
    </div>`}
    ${(picking || (!drawn && places.length > 0)) && html`<${Grid} ...${{ scene, places, picking, actor }} />`}
  `;
}

function Grid({ scene, places, picking, actor }) {
  const extent = scene.map?.play.extent;
  const output = scene.map?.outputs.find((one) => one.format === 'PNG');
  const ground = usePicture(extent?.cells && output ? `${output.url}?style=flat&px=${PIXELS}` : null, scene.map?.revision);
  const squares = picking?.squares ?? [];
  const all = [...places.map((one) => one.at), ...squares, { x: 7, y: 7 }];
  const most = (axis) => Math.max(...all.map((one) => one[axis])) + MARGIN;
  const { x, y, width, height } = extent?.cells ? extent : { x: 0, y: 0, width: most('x'), height: most('y') };
  const sides = [...new Set(places.map((one) => one.side))];
  const kind = (one) => `token side${sides.indexOf(one.side) % COLOURS} ${one.key === actor ? 'mine' : ''}`;
  const isPicked = ({ x, y }) => picking.picked.some((one) => one.x === x && one.y === y);
  const told = places.map((one) => `${one.name} at ${one.at.x}, ${one.at.y}`).join('; ');
  return html`<div class="scroll board" tabindex="0" role="region" aria-label="Where everybody stands">
    <svg class="grid" viewBox="${x} ${y} ${width} ${height}" width=${width * PIXELS} role="img" aria-label=${told}>
      ${ground && html`<image href=${ground} ...${{ x, y, width, height }} />`}
      ${!ground && html`<path class="lines" d=${lines(x + width, y + height)} />`}
      ${squares.map((one) => html`<rect key="${one.x} ${one.y}" class="open ${isPicked(one) ? 'picked' : ''}"
        x=${one.x} y=${one.y} width="1" height="1" onClick=${() => picking.take(one)} />`)}
      ${places.map((one) => html`<g key=${one.key} class=${kind(one)} transform="translate(${one.at.x} ${one.at.y})">
        <circle cx="0.5" cy="0.5" r="0.42" /><text x="0.5" y="0.64">${one.name.slice(0, 2)}</text>
      </g>`)}
    </svg>
    ${picking && squares.length === 0 && html`<p>Any square: write its column and row.</p>`}
  </div>`;
}

function lines(width, height) {
  const down = Array.from({ length: width + 1 }, (_, x) => `M${x} 0V${height}`);
  const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y}H${width}`);
  return [...down, ...across].join('');
}
