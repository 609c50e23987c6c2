/** What may be done now: each legal move as a button with dice, cost and chances, and a form for what it leaves open. */
import { useEffect, useState } from 'preact/hooks';
import { randomHex } from './api.js';
import { PERFORM } from './documents.js';
import { Chance, Field, Form, html, Reasons, Rule, Tick, useApi } from './ui.js';

/**
 * @param {object} props
 * @param {object[]} props.offers  of one actor; each stands under its heading out of `props.groups`, heaviest first
 * @param {(picking: object | null) => void} props.onPicking  told which squares the board offers, and who takes them
 */
export function Offers({ offers, groups, scene, onDone, onPicking }) {
  const [open, setOpen] = useState(null);
  const choose = (key) => {
    onPicking(null);
    setOpen(key === open ? null : key);
  };
  const done = () => (choose(null), onDone());
  if (offers.length === 0) return html`<p>Nothing to do for them just now.</p>`;
  const ordered = offers.toSorted((one, other) => other.weight - one.weight);
  return groups.filter(({ key }) => offers.some((one) => one.group === key)).map(({ key, title }) => html`<div key=${key}>
    <h3 id="offers-${key}">${title}</h3>
    <ul class="offers" aria-labelledby="offers-${key}">
      ${ordered.filter((one) => one.group === key).map((offer) => html`<li key=${offer.key}>
        <button class="offer" aria-expanded=${open === offer.key} onClick=${() => choose(offer.key)}>
          <b>${called(offer)}</b>${offer.dice && ` ${offer.dice.value} dice`}${offer.cost && ` ${offer.cost}`}
        </button>
        ${open === offer.key && html`<${Offer} ...${{ offer, scene, onPicking }} onDone=${done} />`}
      </li>`)}
    </ul>
  </div>`);
}

function Offer({ offer, scene, onDone, onPicking }) {
  const api = useApi();
  const [given, setGiven] = useState({});
  const value = (field) => given[field.name] ?? usual(field);
  const set = (name) => (value) => setGiven((before) => ({ ...before, [name]: value }));
  const send = async () => {
    const wanted = offer.fields.filter((field) => field.required || isGiven(given[field.name]));
    const move = wanted.reduce((form, field) => put(form, field.name.split('.'), value(field)), offer.move);
    await api.act(PERFORM, { sceneId: scene.id, expectedSeq: scene.seq, move, entropy: randomHex(32) });
    onDone();
  };
  return html`<${Form} class="open" aria-label=${offer.label} onSend=${send} button=${offer.label}>
    <p>${offer.text} <${Rule} of=${offer} /></p>
    ${offer.dice && html`<p class="row">Dice: <${Reasons} of=${offer.dice} /></p>`}
    ${offer.chances.length > 0 &&
    html`<ul class="chances">
      ${offer.chances.map((one) => html`<li key=${one.key}>
        <${Chance} of=${one.value} label=${one.label} /> ${one.label}
      </li>`)}
    </ul>`}
    ${offer.fields.map((field) => html`<${MoveField} key=${field.name} ...${{ field, onPicking }}
      value=${value(field)} onChange=${set(field.name)} />`)}
  <//>`;
}

/** What a field holds before anybody has chosen. */
function usual({ kind, required, choices, least, squares }) {
  if (kind === 'FLAG') return false;
  if (kind === 'CHOICES' || kind === 'SQUARES') return [];
  return required ? { CHOICE: choices[0]?.value, NUMBER: least ?? 0, SQUARE: squares[0] }[kind] : undefined;
}

const called = ({ label, disposition }) => (disposition ? `${label} (${disposition.toLowerCase()})` : label);
/** A form with a value in its place: a dotted name is a nested key. */
const put = (form, [key, ...rest], value) => ({ ...form, [key]: rest.length ? put(form?.[key], rest, value) : value });
const isGiven = (value) => value !== undefined && value !== '';
const toBoard = () => document.querySelector('.board')?.scrollIntoView();
const named = ({ x, y }) => `${x}, ${y}`;

function MoveField({ field, value, onChange, onPicking }) {
  const { label, least, most, required } = field;
  if (field.kind === 'FLAG') {
    return html`<${Tick} label=${label} checked=${value} onChange=${(event) => onChange(event.currentTarget.checked)} />`;
  }
  if (field.kind === 'NUMBER') {
    return html`<${Field} label=${label} type="number" min=${least} max=${most} required=${required} value=${value}
      onInput=${(event) => onChange(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))} />`;
  }
  if (field.kind === 'TEXT') {
    return html`<${Field} ...${{ label, required }} autocomplete="off" value=${value ?? ''}
      onInput=${(event) => onChange(event.currentTarget.value)} />`;
  }
  if (field.kind === 'CHOICE') {
    return html`<${Field} label=${label}>
      <select onChange=${(event) => onChange(event.currentTarget.value)}>
        ${!required && html`<option value="">–</option>`}
        ${field.choices.map((one) => html`<option key=${one.value} value=${one.value}
          selected=${one.value === value}>${called(one)}</option>`)}
      </select>
    <//>`;
  }
  if (field.kind === 'CHOICES') {
    const toggle = (one) => onChange(value.includes(one) ? value.filter((kept) => kept !== one) : [...value, one]);
    return html`<fieldset>
      <legend>${label} <small>${amount(field)}</small></legend>
      ${field.choices.map((one) => html`<${Tick} key=${one.value} label=${called(one)}
        checked=${value.includes(one.value)} onChange=${() => toggle(one.value)} />`)}
    </fieldset>`;
  }
  return html`<${Squares} ...${{ field, value, onChange, onPicking }} />`;
}

const amount = ({ least, most }) => (least === most ? `${least}` : `${least ?? 0} to ${most ?? 'any'}`);

/** One square or several in their order: from the list, by column and row, or picked on the board. */
function Squares({ field, value, onChange, onPicking }) {
  const many = field.kind === 'SQUARES';
  const picked = many ? value : value ? [value] : [];
  const toggled = (square) => {
    const others = picked.filter((one) => named(one) !== named(square));
    return others.length < picked.length ? others : [...picked, square];
  };
  const take = (square) => onChange(many ? toggled(square) : square);
  const isChosen = (square) => !many && value && named(square) === named(value);
  // The board shows the squares as long as the move is open, and takes what is pointed at.
  useEffect(() => onPicking({ squares: field.squares, picked, take }), [JSON.stringify(picked)]);
  const free = (axis) => (event) => onChange({ x: 0, y: 0, ...value, [axis]: Number(event.currentTarget.value) });
  return html`<fieldset>
    <legend>${field.label} ${many && html`<small>${amount(field)}</small>`}</legend>
    ${field.squares.length > 0 &&
    html`<${Field} label="Column, row">
      <select onChange=${(event) => event.currentTarget.value !== '' && take(field.squares[event.currentTarget.value])}>
        ${(many || !field.required) && html`<option value="">–</option>`}
        ${field.squares.map(
          (one, at) => html`<option key=${named(one)} value=${at} selected=${isChosen(one)}>${named(one)}</option>`,
        )}
      </select>
    <//>`}
    ${field.squares.length === 0 && !many &&
    html`<div class="row">
      <${Field} label="Column" type="number" value=${value?.x} onInput=${free('x')} />
      <${Field} label="Row" type="number" value=${value?.y} onInput=${free('y')} />
    </div>`}
    ${many && html`<p>${picked.map(named).join('; ') || 'None yet'}</p>`}
    <button type="button" class="quiet" onClick=${toBoard}>To the board</button>
  </fieldset>`;
}
