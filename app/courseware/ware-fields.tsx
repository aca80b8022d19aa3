/** Name, category and description of a ware of the library. */
import type { WareClassify } from '#server/courseware/contract.ts';
import { wareDescLimit, wareNameLimit } from '#server/courseware/rules.ts';
import { controlClass, Field } from '../ui/field.tsx';

interface WareFieldsProps {
  values: { ware_name?: string; ware_desc?: string; classify_id?: string | number };
  errors: Record<string, string[]> | undefined;
  classifies: WareClassify[];
  /** Without, an empty name means the file's. */
  isNameRequired?: boolean;
}

export function WareFields({ values, errors, classifies, isNameRequired = false }: WareFieldsProps) {
  const said = (name: string) => ({
    'aria-invalid': errors?.[name] ? true : undefined,
    'aria-describedby': errors?.[name] ? `${name}-error` : undefined,
  });
  return (
    <>
      <NameField value={values.ware_name} errors={errors} isRequired={isNameRequired} />
      <Field label="分类" id="classify_id" required error={errors?.classify_id?.[0]}>
        <select
          id="classify_id"
          name="classify_id"
          defaultValue={values.classify_id}
          className={controlClass}
          {...said('classify_id')}
        >
          <option value="">请选择</option>
          {classifies.map(({ id, classify_name }) => (
            <option key={id} value={id}>
              {classify_name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="课件描述" id="ware_desc" error={errors?.ware_desc?.[0]}>
        <textarea
          id="ware_desc"
          name="ware_desc"
          rows={3}
          defaultValue={values.ware_desc}
          maxLength={wareDescLimit}
          className={controlClass}
          {...said('ware_desc')}
        />
      </Field>
    </>
  );
}

export function NameField({
  value,
  errors,
  isRequired,
}: {
  value: string | undefined;
  errors: Record<string, string[]> | undefined;
  isRequired: boolean;
}) {
  const error = errors?.ware_name?.[0];
  return (
    <Field
      label="课件名称"
      id="ware_name"
      required={isRequired}
      error={error}
      {...(isRequired ? {} : { hint: '不填写时使用文件名' })}
    >
      <input
        id="ware_name"
        name="ware_name"
        defaultValue={value}
        maxLength={wareNameLimit}
        className={controlClass}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'ware_name-error' : undefined}
      />
    </Field>
  );
}
