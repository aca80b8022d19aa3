import type { editMaterial, MaterialClassify } from '#server/courseware/contract.ts';
import { materialDescLimit, materialNameLimit } from '#server/courseware/rules.ts';
import { formOf } from '../ui/form-of.ts';

const { AreaField, SelectField, TextField } = formOf<typeof editMaterial>();

interface MaterialFieldsProps {
  classifies: MaterialClassify[];
  /** False if the name may be empty. The file name is used then. */
  isNameRequired?: boolean;
}

export function MaterialFields({ classifies, isNameRequired = false }: MaterialFieldsProps) {
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
      <AreaField name="ware_desc" label="课件描述" limit={materialDescLimit} rows={3} maxLength={materialDescLimit} />
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
      maxLength={materialNameLimit}
    />
  );
}

/** Adds the file's own category to the choices: it may be archived. */
export const withOwnCategory = (classifies: MaterialClassify[], own: MaterialClassify): MaterialClassify[] =>
  own.id === 0 || classifies.some(({ id }) => id === own.id) ? classifies : [...classifies, own];
