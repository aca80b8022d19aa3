/** Filters of a list as a GET form, so that the address holds them. */
import { Button, Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { ListView } from '../lib/list-view.ts';
import { cachedHtml } from './cached-html.tsx';
import styles from './filter-form.module.css';
import { CheckField, GroupField } from './form-fields.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { downArrow } from './theme.tsx';

interface TextFilter {
  label: string;
  name: string;
  value: string | undefined;
  placeholder?: string | undefined;
  /** Suggested values for the text. */
  suggestions?: Suggestions | undefined;
}

interface ChoiceFilter {
  label: string;
  name: string;
  value: string | number | undefined;
  choices: readonly (readonly [value: string | number, label: string])[];
  /** Label of the empty option. Default: 全部. */
  unchosen?: string;
  /** True if another filter determines the value. */
  disabled?: boolean;
}

interface CountFilter {
  label: string;
  name: string;
  /** A whole number, at least 0. */
  count: number | undefined;
}

interface RangeFilter {
  label: string;
  from: [name: string, value: string | undefined];
  to: [name: string, value: string | undefined];
  /** True for date and time in the school's time zone (datetime-local), otherwise two days. Both ends are inclusive. */
  moments?: boolean;
}

interface FlagFilter {
  label: string;
  name: string;
  checked: boolean;
  /**
   * For a checkbox that is ticked by default: label of its chip when it is not ticked. The form sends a hidden 0 before
   * the checkbox's 1, so that the address can say that it is not ticked. The last value counts
   * (`CheckedByDefaultParam`).
   */
  off?: string;
}

/** A filter. Its field and the text of its chip are derived from it. */
export type Filter = TextFilter | ChoiceFilter | CountFilter | RangeFilter | FlagFilter;

/** A popular combination of filter values, as a link. */
export interface Preset {
  label: string;
  /** Filter values that the link sets. Other filters stay. */
  filter: Readonly<Record<string, string | number>>;
}

/** Filters of a list. False leaves a filter out. */
export interface Filters {
  /** The two or three most used filters, side by side. */
  first: readonly (Filter | false)[];
  /** All other filters. */
  more?: readonly (Filter | false)[];
  presets?: readonly Preset[];
  /** Describes the list without filters, if it does not contain everything. */
  unfiltered?: string;
  /** Texts of chips for parameters that have no field and are set only by links, by name of the parameter. */
  further?: Readonly<Record<string, string>>;
}

const withoutMissing = (filters: readonly (Filter | false)[] = []) => filters.filter((filter) => filter !== false);
const allOf = ({ first, more }: Filters): Filter[] => [...withoutMissing(first), ...withoutMissing(more)];

/** Filter form of a list. Its HTML is cached: rendering its fields took a fifth of a list's CPU time. */
export function FilterForm({ view, filters }: { view: ListView; filters: Filters }) {
  const { first, more } = filters;
  const html = fieldsHtml({
    id: useId(),
    kept: view.hiddenFieldsBeside(allOf(filters).flatMap(namesOf)),
    first: withoutMissing(first),
    more: withoutMissing(more),
    reset: view.reset,
    chips: filters.presets?.length ? [] : chipsOf(view, filters),
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers before Chrome 118 do not know the element.
    <form
      role="search"
      action={view.pathname}
      // Without autocomplete, the fields show the address after the browser's Back, not the text typed before leaving.
      autoComplete="off"
      className={`${styles.form} no-print`}
      aria-label="筛选"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by React.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

interface FieldsProps {
  id: string;
  kept: [name: string, value: string][];
  first: Filter[];
  more: Filter[];
  reset: string;
  chips: Chip[];
}

function Fields({ kept, first, more, reset, chips }: FieldsProps) {
  const all = [...first, ...more];
  const chosen = (among: Filter[]) => {
    const count = among.filter((filter) => chipOf(filter) !== undefined).length;
    return count > 0 && `（${count}）`;
  };
  return (
    <>
      <HiddenFields fields={kept} />
      {/* On narrow screens this opens the fields, which are the next element. */}
      <details className={styles.fold} open={all.some(isInvalid)}>
        <summary>筛选{chosen(all)}</summary>
      </details>
      {first.map((filter) => (
        <FilterField key={filter.label} {...filter} />
      ))}
      {more.length > 0 && (
        <details className={styles.more} name="menu" open={more.some(isInvalid)}>
          <summary>更多筛选{chosen(more)}</summary>
          <div>
            {more.map((filter) => (
              <FilterField key={filter.label} {...filter} />
            ))}
          </div>
        </details>
      )}
      <div className={styles.actions}>
        {/* Plain, because the filled button of the page is its primary action. */}
        <Button type="submit" variant="default">
          查询
        </Button>
        <Button component="a" href={reset} variant="default">
          重置
        </Button>
      </div>
      <Chips chips={chips} />
    </>
  );
}

const fieldsHtml = cachedHtml(Fields);

/** Returns the predefined filters that match the current filter. */
const activePresets = (view: ListView, presets: readonly Preset[]) =>
  presets.filter(({ filter }) =>
    Object.entries(filter).every(([name, value]) => view.valueText(name) === String(value)),
  );

/** Links to the predefined filters. Each other filter that is set is a chip that removes it. */
export function FilterLinks({ view, filters }: { view: ListView; filters: Filters }) {
  const { presets = [] } = filters;
  if (presets.length === 0) return null;
  const names = [...new Set(presets.flatMap(({ filter }) => Object.keys(filter)))];
  const shown = activePresets(view, presets);
  return (
    <div className={`${styles.links} no-print`}>
      <nav className={styles.presets} aria-label="常用筛选">
        <a href={view.withoutFilters(names)} aria-current={names.some(view.valueText) ? undefined : 'true'}>
          {filters.unfiltered ?? '全部'}
        </a>
        {presets.map((one) => {
          const { label, filter } = one;
          const isShown = shown.includes(one);
          return (
            <a
              key={label}
              href={view.withoutFilters(Object.keys(filter), isShown ? {} : filter)}
              aria-current={isShown ? 'true' : undefined}
              title={isShown ? '去掉该条件' : undefined}
            >
              {label}
            </a>
          );
        })}
      </nav>
      <Chips chips={chipsOf(view, filters)} />
    </div>
  );
}

interface Chip {
  words: string;
  /** Address without the filter. */
  without: string;
}

/** Returns chips for the filters that no predefined filter shows. */
function chipsOf(view: ListView, filters: Filters): Chip[] {
  const { presets = [], further = {} } = filters;
  const presetFields = activePresets(view, presets).flatMap(({ filter }) => Object.keys(filter));
  const all = allOf(filters);
  const chips = all.flatMap((filter) => {
    const words = chipOf(filter);
    const fields = namesOf(filter);
    return words === undefined || fields.every((name) => presetFields.includes(name)) ? [] : [{ words, fields }];
  });
  const named = [...presetFields, ...all.flatMap(namesOf)];
  for (const name of view.activeFilters)
    if (!named.includes(name))
      chips.push({ words: further[name] ?? `其他条件：${view.valueText(name)}`, fields: [name] });
  return chips.map(({ words, fields }) => ({ words, without: view.withoutFilters(fields) }));
}

function Chips({ chips }: { chips: Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="已选条件">
      {chips.map(({ words, without }) => (
        <li key={words}>
          <a href={without} title="去掉该条件">
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

/** Text of a filter's chip. Undefined if the filter is not set. */
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

// A shared link may name a choice that was deleted. The list is empty then, and the field shows this as the reason.
const goneChoice = '已不存在的选项';
const chosenOf = ({ value, choices }: ChoiceFilter) => choices.find(([choice]) => choice === value)?.[1];
const isChoiceGone = (filter: Filter) =>
  'choices' in filter && filter.value !== undefined && chosenOf(filter) === undefined;

const isTurned = ({ from: [, from], to: [, to] }: Pick<RangeFilter, 'from' | 'to'>) =>
  from !== undefined && to !== undefined && from > to;
/** True if the field shows that its value is invalid. */
const isInvalid = (filter: Filter) => isChoiceGone(filter) || ('from' in filter && isTurned(filter));

/** Filters of a picker. They are fields of the picker's own form. */
export function PickerFilters({
  resetHref,
  search,
  children,
}: {
  /** Address of the picker without filters. Left out where following it would lose ticks. */
  resetHref?: string;
  /** Name and value of the search button. */
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

/** Suggested values as HTML, ready to insert: most pages show the same ones. */
export interface Suggestions {
  html: string;
}

/** Converts records with id and name to choices of a filter. */
export const choicesOf = (named: readonly { id: number; name: string }[]) =>
  named.map(({ id, name }) => [id, name] as const);

/**
 * The field of a filter. Its id differs from its name, because a dialog over the list may have a field of that name. It
 * has neither description nor error, so it uses Mantine's `Input`, which costs half of a `TextInput`
 * (server/docs/decisions/003-mantine.md).
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
      rightSection={downArrow}
    >
      <option value="">{unchosen}</option>
      {isChoiceGone(filter) && <option value={value}>{goneChoice}</option>}
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
