/** Fields of a catalogue entry, in the dialogs that add and edit one. */
import type { CatalogueRow, editCatalogueEntry } from '#server/catalogue/contract.ts';
import {
  type CatalogueKind,
  entryNameLimit,
  hasDays,
  hasLevels,
  isOfSchool,
  termTypeNames,
  termTypes,
} from '#server/catalogue/rules.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';

const { SelectField, TextField } = fieldsOf<typeof editCatalogueEntry>();

interface EntryFieldsProps {
  kind: CatalogueKind;
  parents: readonly CatalogueRow[];
  schools: { id: number; name: string }[];
}

export function EntryFields({ kind, parents, schools }: EntryFieldsProps) {
  return (
    <>
      <TextField name="name" label="名称" withAsterisk limit={entryNameLimit} autoComplete="off" />
      {hasLevels(kind) && (
        <SelectField
          name="parent_id"
          label="上级"
          placeholder="无（最上级）"
          choices={parents.map(({ id, name, depth }) => [id, `${'\u3000'.repeat(depth)}${name}`] as const)}
        />
      )}
      {hasDays(kind) && (
        <>
          <SelectField
            name="type"
            label="类别"
            withAsterisk
            placeholder="请选择"
            description="上学期、下学期选“学期”；一整年选“学年”"
            choices={termTypes.map((type) => [type, termTypeNames[type]] as const)}
          />
          <TextField name="first_day" label="第一天" type="date" />
          <TextField name="last_day" label="最后一天" type="date" />
        </>
      )}
      {isOfSchool(kind) && (
        <>
          <SelectField
            name="school_id"
            label="所属学校"
            withAsterisk
            placeholder="请选择"
            choices={choicesOf(schools)}
          />
          <TextField
            name="seats"
            label="座位数"
            inputMode="numeric"
            description="选填，0或不填表示未登记"
            autoComplete="off"
          />
        </>
      )}
    </>
  );
}

/** Returns the list without an entry and its descendants, which directly follow it. */
export function omitSubtree(entries: readonly CatalogueRow[], id: number): CatalogueRow[] {
  const at = entries.findIndex((entry) => entry.id === id);
  const depth = entries[at]?.depth ?? 0;
  const end = entries.findIndex((entry, index) => index > at && entry.depth <= depth);
  return at < 0 ? [...entries] : [...entries.slice(0, at), ...(end < 0 ? [] : entries.slice(end))];
}
