/**
 * A map at the table: its picture as the viewer may know it, and over it tokens, lights, doors, notes and the fog.
 * Whatever the pointer does, the keyboard does by a cursor of one cell: arrows move it, Enter acts where it stands.
 */
import { useEffect, useState } from 'preact/hooks';
import { EDIT_MAP, MAP, MAP_FEED } from './documents.js';
import { Choice, Field, Form, html, Tick, titled, Trouble } from './ui.js';
import { useAct, useApi, useAsk, useFeed, useFirst, usePicture } from './ui.js';
import { useViewport } from './viewport.js';

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOOLS = {
  move: 'Move',
  reveal: 'Lift the fog',
  conceal: 'Lay the fog',
  token: 'Put a token',
  light: 'Put a light',
};
const SHARING = [['HIDDEN', 'Nothing'], ['FOGGED', 'What they explored'], ['OPEN', 'All they may know']];
const BRUSHES = [1, 3, 5, 9].map((side) => [side, `${side} by ${side}`]);
const PIXELS = 32;
const LARGEST = 2400;

export function MapView({ id, table }) {
  const { data, problem } = useAsk(MAP, { id });
  const [news, setNews] = useState(null);
  useEffect(() => setNews(null), [data]); // what was asked later knows more
  const ended = useFeed(MAP_FEED, useFirst(data?.map ? { id, after: data.map.cursor } : null), setNews);
  if (!data) return html`<${Trouble} problem=${problem} />`;
  if (!data.map) return html`<p>There is no such map for you.</p>`;
  const map = { ...data.map, revision: news?.revision ?? data.map.revision, play: { ...data.map.play, ...news?.play } };
  return html`<h1>${map.name}</h1><${Trouble} problem=${ended} /><${Played} map=${map} table=${table} />`;
}

function Played({ map, table }) {
  const api = useApi();
  const { run, busy, problem } = useAct();
  const [tool, setTool] = useState('move');
  const [brush, setBrush] = useState(1);
  const [held, setHeld] = useState(null);
  const { extent, tokens } = map.play;
  const [cursor, setCursor] = useState(map.content?.entrance ?? { x: extent.x, y: extent.y });
  const edit = (one) => run(() => api.act(EDIT_MAP, { mapId: map.id, edit: one }));
  const mayMove = (token) => map.whole || token.owners.includes(table.me.id);
  const covers = (start, size, cell) => cell >= start && cell < start + size;
  const at = ({ x, y }) => tokens.filter((one) => covers(one.at.x, one.size, x) && covers(one.at.y, one.size, y));
  const token = tokens.find((one) => one.key === held);

  function act(cell) {
    setCursor(cell);
    const area = { rectangle: around(cell, brush, extent) };
    if (tool === 'reveal') return edit({ reveal: { area } });
    if (tool === 'conceal') return edit({ conceal: { area } });
    if (tool === 'light') return edit({ putLight: { at: cell, bright: 4, dim: 8 } });
    if (tool === 'token') return undefined;
    const here = at(cell).find(mayMove);
    if (here) return setHeld(here.key === held ? null : here.key);
    if (!held) return undefined;
    setHeld(null);
    return edit({ moveToken: { id: held, to: cell } });
  }

  const step = (key) => {
    const [right, down] = ARROWS[key];
    const inside = (cell, least, many) => Math.min(Math.max(cell, least), least + many - 1);
    setCursor(({ x, y }) => ({ x: inside(x + right, extent.x, extent.width), y: inside(y + down, extent.y, extent.height) }));
  };
  return html`
    ${map.whole && extent.cells &&
    html`<div class="tools">
      <fieldset class="row"><legend>Tool</legend>
        ${Object.entries(TOOLS).map(
          ([name, label]) => html`<${Tick} key=${name} type="radio" name="tool" label=${label}
            checked=${tool === name} onChange=${() => setTool(name)} />`,
        )}
      </fieldset>
      ${['reveal', 'conceal'].includes(tool) &&
      html`<${Choice} label="Cells at a time" value=${brush} options=${BRUSHES}
        onChange=${(event) => setBrush(Number(event.currentTarget.value))} />`}
      <${Choice} label="Players see" value=${map.play.fog.mode} options=${SHARING}
        onChange=${(event) => edit({ setFog: { mode: event.currentTarget.value } })} />
      <button class="quiet" disabled=${busy} onClick=${() => edit({ revealAll: {} })}>Lift all the fog</button>
    </div>`}
    <${Trouble} problem=${problem} />
    <${Sheet} ...${{ map, cursor, held, act, step, mayMove }} />
    <p class="row" role="status">
      ${extent.cells && `Column ${cursor.x}, row ${cursor.y}${at(cursor).map((one) => `, ${one.name}`).join('')}.`}
      ${token && ` ${token.name} is taken up: choose where to.`}
    </p>
    ${tool === 'token' && html`<${NewToken} ...${{ table, cursor, edit }} />`}
    <${Things} ...${{ map, edit, setCursor, mayMove, held, setHeld }} />
  `;
}

function Sheet({ map, cursor, held, act, step, mayMove }) {
  const { extent } = map.play;
  const output = map.outputs.find((one) => one.format === (extent.cells ? 'PNG' : 'SVG'));
  const pixels = Math.max(8, Math.min(PIXELS, Math.floor(LARGEST / Math.max(extent.width, extent.height))));
  const picture = usePicture(output && (extent.cells ? `${output.url}?style=flat&px=${pixels}` : output.url), map.revision);
  const { box, whole, frame, zoom, fit, spot, handlers } = useViewport(extent);
  const onKeyDown = (event) => {
    if (ARROWS[event.key]) step(event.key);
    else if (event.key === 'Enter' || event.key === ' ') act(cursor);
    else if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 0.8 : 1.25);
    else return;
    event.preventDefault();
  };
  const tap = (event) => {
    if (!extent.cells || handlers.dragged()) return;
    const { x, y } = spot(event);
    const [right, down] = [x - whole.x, y - whole.y];
    if (Math.min(right, down) >= 0 && right < whole.width && down < whole.height) act({ x: Math.floor(x), y: Math.floor(y) });
  };
  return html`<div class="map">
    <svg ref=${frame} viewBox="${box.x} ${box.y} ${box.width} ${box.height}" tabindex="0" role="application"
      aria-label="Map: arrows move the cursor, Enter acts, plus and minus zoom"
      onKeyDown=${onKeyDown} onClick=${tap} onPointerDown=${handlers.down} onPointerMove=${handlers.move}
      onPointerUp=${handlers.up} onPointerCancel=${handlers.up} onWheel=${handlers.wheel}>
      ${picture && html`<image href=${picture} ...${whole} />`}
      ${extent.cells && html`<${Over} ...${{ map, cursor, held, mayMove }} />`}
    </svg>
    <div class="zoom" role="group" aria-label="Zoom">
      <button class="quiet" aria-label="Closer" onClick=${() => zoom(0.7)}>+</button>
      <button class="quiet" aria-label="Farther" onClick=${() => zoom(1.4)}>−</button>
      <button class="quiet" onClick=${fit}>Whole</button>
    </div>
  </div>`;
}

/** What lies on the picture. A player's picture is fogged by the server; a game master's shows the fog as a veil. */
function Over({ map, cursor, held, mayMove }) {
  const { lights, tokens, markers, notes, fog, explored, extent, doors } = map.play;
  const middle = ({ at, size }) => ({ x: at.x + size / 2, y: at.y + size / 2 });
  const carried = tokens.filter((one) => one.light).map((one) => ({ ...one.light, key: one.key, at: middle(one) }));
  const shining = [...(map.content?.lights ?? []), ...lights, ...carried];
  const stands = new Map(doors.map((one) => [one.key, one.state]));
  const kind = (one) => `token ${one.key === held ? 'held' : ''} ${mayMove(one) ? 'mine' : ''}`;
  const to = ({ x, y }) => `translate(${x} ${y})`;
  return html`
    ${shining.map((one) => html`<g key=${one.key} class="light" fill=${one.color} transform=${to(one.at)}>
      <circle r=${one.dim} /><circle r=${one.bright} />
    </g>`)}
    ${(map.content?.doors ?? []).map((one) => html`<circle key=${one.key} class="door ${stands.get(one.key) ?? one.state}"
      cx=${one.middle.x} cy=${one.middle.y} r="0.18" />`)}
    ${map.whole && fog.mode === 'FOGGED' && html`<path class="fog" d=${unexplored(explored, extent)} />`}
    ${[...markers, ...notes].map((one) => html`<g key=${one.key} class="pin" transform=${to(one.at)}>
      <circle r="0.3" fill=${one.color ?? '#3a6ea5'} /><text y="-0.45">${one.label ?? one.title}</text>
    </g>`)}
    ${tokens.map((one) => html`<g key=${one.key} class=${kind(one)} transform="${to(one.at)} scale(${one.size})">
      <circle cx="0.5" cy="0.5" r="0.42" fill=${one.color} />
      <text x="0.5" y="0.64">${one.label || one.name.slice(0, 2)}</text>
    </g>`)}
    <rect class="cursor" x=${cursor.x} y=${cursor.y} width="1" height="1" />
  `;
}

/** A square of cells with one in its middle, as far as the map goes. */
function around({ x, y }, side, { width, height }) {
  const reach = (side - 1) / 2;
  const [left, top] = [Math.max(x - reach, 0), Math.max(y - reach, 0)];
  return { x: left, y: top, width: Math.min(x + reach + 1, width) - left, height: Math.min(y + reach + 1, height) - top };
}

/** The cells that nobody has explored, as a path of boxes, a run of cells each. */
function unexplored(explored, { width, height }) {
  const known = explored.map((one) => Uint8Array.from(atob(one.cells), (letter) => letter.charCodeAt(0)));
  const isKnown = (cell) => known.some((bytes) => bytes[cell >> 3] & (128 >> (cell & 7)));
  let path = '';
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = x;
      while (x < width && !isKnown(y * width + x)) x += 1;
      if (x > from) path += `M${from} ${y}H${x}V${y + 1}H${from}Z`;
    }
  }
  return path;
}

const named = (character) => [character.id, character.name];

function NewToken({ table, cursor, edit }) {
  const { seated } = table;
  const put = ({ name, character, light, dark, size }, form) => {
    const stands = seated.find((one) => one.id === character);
    const token = { at: cursor, name: name ?? stands?.name ?? 'Unknown', size: Number(size ?? 1) };
    token.sight = { dark: Number(dark ?? 0) };
    if (stands) Object.assign(token, { character, owners: [stands.player.id], color: '#1f5f7a' });
    if (light) token.light = { bright: Number(light), dim: 2 * Number(light) };
    return edit({ putToken: token }).then((done) => done && form.reset());
  };
  return html`<${Form} onSend=${put} button="Put it at column ${cursor.x}, row ${cursor.y}">
    <${Choice} label="Stands for" name="character" empty="No character" options=${seated.map(named)} />
    <${Field} label="Name" name="name" maxlength="80" autocomplete="off" />
    <div class="row">
      <${Field} label="Cells wide" name="size" type="number" min="1" max="10" placeholder="1" />
      <${Field} label="Light, in cells" name="light" type="number" min="0" max="60" placeholder="0" />
      <${Field} label="Sees in the dark, in cells" name="dark" type="number" min="0" max="60" placeholder="0" />
    </div>
  <//>`;
}

/** Everything on the map as lists: what a screen reader reads, and buttons for what can be done with it. */
function Things({ map, edit, setCursor, mayMove, held, setHeld }) {
  const { tokens, notes, doors } = map.play;
  const stands = new Map(doors.map((one) => [one.key, one.state]));
  const doorsHere = (map.content?.doors ?? [])
    .filter((one) => one.kind !== 'ARCH')
    .map((one) => ({ ...one, state: stands.get(one.key) ?? one.state }));
  const take = (one) => {
    setHeld(held === one.key ? null : one.key);
    setCursor(one.at);
  };
  const turn = (one) => edit({ setDoor: { id: one.key, state: one.state === 'OPEN' ? 'CLOSED' : 'OPEN' } });
  return html`
    <h2>On the map</h2>
    <ul class="cards">
      ${tokens.map((one) => html`<li key=${one.key}>
        <b>${one.name}</b> <small>column ${one.at.x}, row ${one.at.y}</small> ${one.conditions.join(', ')}
        <div class="row">
          ${mayMove(one) &&
          html`<button class="quiet" aria-pressed=${held === one.key} onClick=${() => take(one)}>
            Take up ${one.name}
          </button>`}
          ${map.whole &&
          html`<button class="quiet" onClick=${() => edit({ removeToken: { id: one.key } })}>
            Take ${one.name} away
          </button>`}
        </div>
      </li>`)}
      ${notes.map((one) => html`<li key=${one.key}><b>${one.title}</b> ${one.text}</li>`)}
    </ul>
    ${doorsHere.length > 0 &&
    html`<details class="group"><summary>Doors</summary>
      <ul class="cards">${doorsHere.map((one) => html`<li key=${one.key}>
        ${titled(one.kind)} at ${one.middle.x}, ${one.middle.y}: ${titled(one.state)}
        <button class="quiet" onClick=${() => turn(one)}>${one.state === 'OPEN' ? 'Close' : 'Open'} ${one.key}</button>
      </li>`)}</ul>
    </details>`}
  `;
}
