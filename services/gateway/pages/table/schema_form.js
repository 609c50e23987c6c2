/** A form made from a JSON Schema: what is left alone keeps the default that the schema names. */
import { Field, html, Tick, titled } from './ui.js';

const DEEPEST = 4;

/** Follow a reference, and drop the `null` of what may be left out. */
function resolved(schema, root) {
  let found = schema;
  while (found.$ref) {
    const { $ref, ...rest } = found;
    found = { ...$ref.slice(2).split('/').reduce((place, step) => place[step], root), ...rest };
  }
  const some = (found.anyOf ?? found.oneOf)?.filter((one) => one.type !== 'null');
  return some ? { ...resolved(some[0], root), description: found.description ?? some[0].description } : found;
}

/**
 * @param {object} props
 * @param {object} props.schema  of an object, or of a part of one
 * @param {any} props.value  so far; undefined where nothing was said
 * @param {(value: any) => void} props.onChange
 */
export function SchemaForm({ schema, root = schema, value, onChange, label = '', depth = 0 }) {
  const found = resolved(schema, root);
  const shared = { label, hint: found.description };
  const usual = found.default ?? schema.default;
  if (found.enum) {
    return html`<${Field} ...${shared}>
      <select value=${value ?? ''} onChange=${(event) => onChange(event.currentTarget.value || undefined)}>
        <option value="">${usual ? `As usual: ${titled(String(usual))}` : 'As it comes'}</option>
        ${found.enum.map((one) => html`<option value=${one}>${titled(String(one))}</option>`)}
      </select>
    <//>`;
  }
  if (found.type === 'boolean') {
    const check = (event) => onChange(event.currentTarget.checked);
    return html`<${Tick} label=${label} checked=${value ?? usual ?? false} onChange=${check} />`;
  }
  if (found.type === 'integer' || found.type === 'number') {
    const read = ({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value));
    return html`<${Field} ...${shared} type="number" step=${found.type === 'integer' ? 1 : 'any'}
      min=${found.minimum} max=${found.maximum} value=${value ?? ''} placeholder=${usual ?? ''} onInput=${read} />`;
  }
  if (found.type === 'array') return html`<${List} ...${{ found, root, value, onChange, label, depth }} />`;
  if (found.type === 'object') return html`<${Members} ...${{ found, root, value, onChange, label, depth }} />`;
  return html`<${Field} ...${shared} value=${value ?? ''} placeholder=${usual ?? ''}
    onInput=${(event) => onChange(event.currentTarget.value || undefined)} />`;
}

function Members({ found, root, value, onChange, label, depth }) {
  if (depth > DEEPEST) return null;
  const set = (name) => (one) => {
    const { [name]: _, ...others } = value ?? {};
    const all = one === undefined ? others : { ...others, [name]: one };
    onChange(Object.keys(all).length ? all : undefined);
  };
  const members = Object.entries(found.properties ?? {}).map(
    ([name, schema]) => html`<${SchemaForm} key=${name} ...${{ schema, root, depth: depth + 1 }}
      label=${titled(name)} value=${value?.[name]} onChange=${set(name)} />`,
  );
  if (depth === 0) return members;
  return html`<details class="group"><summary>${label}</summary>${members}</details>`;
}

function List({ found, root, value = [], onChange, label, depth }) {
  if (depth > DEEPEST || !found.items) return null;
  const put = (at, one) => onChange(value.map((before, index) => (index === at ? one : before)));
  const remove = (at) => onChange(value.filter((_, index) => index !== at));
  return html`<fieldset>
    <legend>${label}</legend>
    ${value.map((one, at) => html`<div key=${at}>
      <${SchemaForm} schema=${found.items} ...${{ root, depth: 0 }} label="${label} ${at + 1}"
        value=${one ?? undefined} onChange=${(now) => put(at, now ?? null)} />
      <button type="button" class="quiet" onClick=${() => remove(at)}>Remove ${label} ${at + 1}</button>
    </div>`)}
    <button type="button" class="quiet" onClick=${() => onChange([...value, null])}>Add to ${label}</button>
  </fieldset>`;
}
