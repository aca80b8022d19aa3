import type { editWare, WareClassify } from '#server/courseware/contract.ts';
import { wareDescLimit, wareNameLimit } from '#server/courseware/rules.ts';
import { formOf } from '../ui/form-of.ts';

const { AreaField, SelectField, TextField } = formOf<typeof editWare>();

interface WareFieldsProps {
  classifies: WareClassify[];
  /** Without, an empty name means the file's. */
  isNameRequired?: boolean;
}

export function WareFields({ classifies, isNameRequired = false }: WareFieldsProps) {
  return (
    <>
      <NameField isRequired={isNameRequired} />
      <SelectField
        name="classify_id"
        label="分类"
        withAsterisk
        placeholder="请选择"
        choices={classifies.map(({ id, classify_name }) => [id, classify_name] as const)}
      />
      <AreaField name="ware_desc" label="课件描述" limit={wareDescLimit} rows={3} maxLength={wareDescLimit} />
    </>
  );
}

export function NameField({ isRequired }: { isRequired: boolean }) {
  return (
    <TextField
      name="ware_name"
      label="课件名称"
      withAsterisk={isRequired}
      description={!isRequired && '不填写时使用文件名'}
      maxLength={wareNameLimit}
    />
  );
}

/** With the category that something has, which may be no longer offered. */
export const withOwn = (classifies: WareClassify[], own: WareClassify): WareClassify[] =>
  own.id === 0 || classifies.some(({ id }) => id === own.id) ? classifies : [...classifies, own];
