/** The filters of a list: a GET form, so that the address holds them. */
import { Button, Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { ListView } from '../lib/list-view.ts';
import styles from './filter-form.module.css';
import { CheckField, GroupField } from './form-fields.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { downward } from './theme.tsx';

interface TextFilter {
  label: string;
  name: string;
  value: string | undefined;
  placeholder?: string | undefined;
  /** What may be meant: see `Suggestions`. */
  suggestions?: Suggestions | undefined;
}

interface ChoiceFilter {
  label: string;
  name: string;
  value: string | number | undefined;
  choices: readonly (readonly [value: string | number, label: string])[];
  /** What is shown where nothing is chosen; all, unless it says so. */
  unchosen?: string;
  /** Another filter decides it. */
  disabled?: boolean;
}

interface CountFilter {
  label: string;
  name: string;
  /** A whole number from 0 on. */
  count: number | undefined;
}

interface RangeFilter {
  label: string;
  from: [name: string, value: string | undefined];
  to: [name: string, value: string | undefined];
  /** To the minute, by the school's clock, as a datetime-local field has them; else two days. Both inclusive. */
  moments?: boolean;
}

interface FlagFilter {
  label: string;
  name: string;
  checked: boolean;
  /**
   * Of a box that is on by default: what is shown without it. It sends 0 before its own 1, so that the address says that
   * it is off: the last value of its name counts, and none means on (`TickedByDefault`).
   */
  off?: string;
}

/** One filter: its field, and what its chip says, follow from it. */
export type Filter = TextFilter | ChoiceFilter | CountFilter | RangeFilter | FlagFilter;

/** A list that many look at, as a link. */
export interface Preset {
  label: string;
  /** What it says of the filter; whatever else is chosen stays. */
  filter: Readonly<Record<string, string | number>>;
}

/** What is not offered is false. */
export interface Filters {
  /** Those that are used: two or three, which stand beside each other. */
  first: readonly (Filter | false)[];
  /** All others. */
  more?: readonly (Filter | false)[];
  presets?: readonly Preset[];
  /** What the list shows without a filter, where that is not all there is. */
  unfiltered?: string;
  /** What a link from elsewhere may say, for which there is no field: in words, by its name. */
  further?: Readonly<Record<string, string>>;
}

const offered = (filters: readonly (Filter | false)[] = []) => filters.filter((filter) => filter !== false);
const allOf = ({ first, more }: Filters): Filter[] => [...offered(first), ...offered(more)];

/** The form of a list. */
export function FilterForm({ view, filters }: { view: ListView; filters: Filters }) {
  const { first, more } = filters;
  const others = offered(more);
  const chosen = (among: Filter[]) => {
    const count = among.filter((filter) => chipOf(filter) !== undefined).length;
    return count > 0 && `（${count}）`;
  };
  const all = allOf(filters);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers before Chrome 118 do not know the element.
    <form
      role="search"
      action={view.pathname}
      // Who goes back sees what the address says, not what they typed before they left.
      autoComplete="off"
      className={`${styles.form} no-print`}
      aria-label="筛选"
    >
      <HiddenFields fields={view.keptBeside(all.flatMap(namesOf))} />
      {/* Opened where there is no room for the fields, which follow it. */}
      <details className={styles.fold} open={all.some(isAmiss)}>
        <summary>筛选{chosen(all)}</summary>
      </details>
      {offered(first).map((filter) => (
        <FilterField key={filter.label} {...filter} />
      ))}
      {others.length > 0 && (
        <details className={styles.more} name="menu" open={others.some(isAmiss)}>
          <summary>更多筛选{chosen(others)}</summary>
          <div>
            {others.map((filter) => (
              <FilterField key={filter.label} {...filter} />
            ))}
          </div>
        </details>
      )}
      <div className={styles.actions}>
        {/* What is filled on the page is its next act. */}
        <Button type="submit" variant="default">
          查询
        </Button>
        <Button component="a" href={view.reset} variant="default">
          重置
        </Button>
      </div>
      {!filters.presets?.length && <Chips view={view} filters={filters} />}
    </form>
  );
}

/** The lists that many look at which this one is. */
const shownOf = (view: ListView, presets: readonly Preset[]) =>
  presets.filter(({ filter }) => Object.entries(filter).every(([name, value]) => view.says(name) === String(value)));

/** Links to the lists that many look at, and to this one without each of what else narrows it. */
export function FilterLinks({ view, filters }: { view: ListView; filters: Filters }) {
  const { presets = [] } = filters;
  if (presets.length === 0) return null;
  const names = [...new Set(presets.flatMap(({ filter }) => Object.keys(filter)))];
  const shown = shownOf(view, presets);
  return (
    <div className={`${styles.links} no-print`}>
      <nav className={styles.presets} aria-label="常用筛选">
        <a href={view.less(names)} aria-current={names.some(view.says) ? undefined : 'true'}>
          {filters.unfiltered ?? '全部'}
        </a>
        {presets.map((one) => {
          const { label, filter } = one;
          const isShown = shown.includes(one);
          return (
            <a
              key={label}
              href={view.less(Object.keys(filter), isShown ? {} : filter)}
              aria-current={isShown ? 'true' : undefined}
              title={isShown ? '去掉该条件' : undefined}
            >
              {label}
            </a>
          );
        })}
      </nav>
      <Chips view={view} filters={filters} />
    </div>
  );
}

/** Whatever narrows the list and is not seen as one of the presets, each as a link to the list without it. */
function Chips({ view, filters }: { view: ListView; filters: Filters }) {
  const { presets = [], further = {} } = filters;
  const said = shownOf(view, presets).flatMap(({ filter }) => Object.keys(filter));
  const all = allOf(filters);
  const chips = all.flatMap((filter) => {
    const words = chipOf(filter);
    const fields = namesOf(filter);
    return words === undefined || fields.every((name) => said.includes(name)) ? [] : [{ words, fields }];
  });
  const named = [...said, ...all.flatMap(namesOf)];
  for (const name of view.narrowing)
    if (!named.includes(name)) chips.push({ words: further[name] ?? `其他条件：${view.says(name)}`, fields: [name] });
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="已选条件">
      {chips.map(({ words, fields }) => (
        <li key={words}>
          <a href={view.less(fields)} title="去掉该条件">
            <span className="visually-hidden">去掉</span>
            {words}
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const namesOf = (filter: Filter): string[] => ('from' in filter ? [filter.from[0], filter.to[0]] : [filter.name]);

/** What is chosen there; undefined where it narrows nothing. */
function chipOf(filter: Filter): string | undefined {
  const { label } = filter;
  if ('from' in filter) {
    const [from, to] = [filter.from[1]?.replace('T', ' '), filter.to[1]?.replace('T', ' ')];
    if (from && to) return `${label}：${from === to ? from : `${from} 至 ${to}`}`;
    return from || to ? `${label}：${from ? `${from} 起` : `至 ${to}`}` : undefined;
  }
  if ('checked' in filter) {
    const { checked, off } = filter;
    return off === undefined ? (checked ? label : undefined) : checked ? undefined : off;
  }
  if ('count' in filter) return filter.count === undefined ? undefined : `${label}：${filter.count}`;
  if (filter.value === undefined) return undefined;
  if (!('choices' in filter)) return `${label}：${filter.value}`;
  return filter.disabled ? undefined : `${label}：${chosenOf(filter) ?? goneChoice}`;
}

// A shared link may name what is gone: the list has no rows then, and the field says why.
const goneChoice = '已不存在的选项';
const chosenOf = ({ value, choices }: ChoiceFilter) => choices.find(([choice]) => choice === value)?.[1];
const isGone = (filter: Filter) => 'choices' in filter && filter.value !== undefined && chosenOf(filter) === undefined;

const isTurned = ({ from: [, from], to: [, to] }: Pick<RangeFilter, 'from' | 'to'>) =>
  from !== undefined && to !== undefined && from > to;
/** Its field says what is not as it was meant. */
const isAmiss = (filter: Filter) => isGone(filter) || ('from' in filter && isTurned(filter));

/** Those of a picker, which are fields of its own form. */
export function PickerFilters({
  resetHref,
  search,
  children,
}: {
  /** The picker without filters; left out where its ticks would be lost. */
  resetHref?: string;
  /** What the button that searches says in the address. */
  search?: { name: string; value: string };
  children: ReactNode;
}) {
  return (
    <div className={styles.picker}>
      {children}
      <div className={styles.actions}>
        <Button type="submit" variant="default" {...search}>
          查询
        </Button>
        {resetHref && (
          <Button component="a" href={resetHref} variant="default">
            重置
          </Button>
        )}
      </div>
    </div>
  );
}

/** Names that may be meant, ready to stand in a page: most pages have the same ones as the last. */
export interface Suggestions {
  html: string;
}

/** What has an id and a name, as choices. */
export const choicesOf = (named: readonly { id: number; name: string }[]) =>
  named.map(({ id, name }) => [id, name] as const);

/**
 * The field of a filter. Its id is not its name: a dialog over the list may have a field of that name. It has neither
 * description nor error, and Mantine's `Input` alone costs half of a `TextInput` (decision 004).
 */
export function FilterField(filter: Filter) {
  const id = useId();
  const { label } = filter;
  if ('from' in filter) return <Range id={id} {...filter} />;
  if ('checked' in filter) return <Flag id={id} {...filter} />;
  return (
    <div className={styles.field}>
      <Input.Label htmlFor={id}>{label}</Input.Label>
      {'choices' in filter ? (
        <Choice id={id} {...filter} />
      ) : 'count' in filter ? (
        <Input id={id} type="number" name={filter.name} defaultValue={filter.count} min={0} />
      ) : (
        <Text id={id} {...filter} />
      )}
    </div>
  );
}

function Text({ id, name, value, placeholder, suggestions }: TextFilter & { id: string }) {
  const list = suggestions && `${id}names`;
  return (
    <>
      <Input
        id={id}
        type="search"
        name={name}
        defaultValue={value}
        maxLength={200}
        placeholder={placeholder}
        list={list}
      />
      {suggestions && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: written by the server, with every name escaped.
        <datalist id={list} dangerouslySetInnerHTML={{ __html: suggestions.html }} />
      )}
    </>
  );
}

function Choice({ id, ...filter }: ChoiceFilter & { id: string }) {
  const { name, value, choices, disabled, unchosen = '全部' } = filter;
  return (
    <Input
      component="select"
      id={id}
      name={name}
      defaultValue={value ?? ''}
      disabled={disabled}
      pointer
      rightSection={downward}
    >
      <option value="">{unchosen}</option>
      {isGone(filter) && <option value={value}>{goneChoice}</option>}
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </Input>
  );
}

const Flag = ({ id, label, name, checked, off }: FlagFilter & { id: string }) => (
  <>
    {off !== undefined && <input type="hidden" name={name} value="0" />}
    <CheckField id={id} label={label} name={name} className={styles.flag} defaultChecked={checked} />
  </>
);

function Range({ id, moments, label, from, to }: RangeFilter & { id: string }) {
  const type = moments ? 'datetime-local' : 'date';
  return (
    <GroupField
      name={id}
      label={label}
      className={styles.range}
      description={isTurned({ from, to }) && '起止颠倒，已按从早到晚查询'}
    >
      <div>
        <Input type={type} name={from[0]} defaultValue={from[1]} aria-label={`${label}从`} />
        <span aria-hidden="true">至</span>
        <Input type={type} name={to[0]} defaultValue={to[1]} aria-label={`${label}到`} />
      </div>
    </GroupField>
  );
}
