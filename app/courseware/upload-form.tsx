/** Form of the upload dialog, for the library, a lesson or a class. */
import { useState } from 'react';
import type { MaterialClassify, uploadClassMaterial, uploadMaterial } from '#server/courseware/contract.ts';
import {
  acceptedExtensions,
  coursewareMessages,
  fileFault,
  type MaterialType,
  materialTypes,
  type UploadPlace,
} from '#server/courseware/rules.ts';
import type { NamesOf } from '../ui/fields-of.ts';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm, Values } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { FileForm, useFileForm } from './file-form.tsx';
import { MaterialFields, NameField } from './material-fields.tsx';
import { materialTypeChoices, materialTypeNames, uploadNotes } from './terms.ts';
import styles from './upload.posts.module.css';

export interface UploadPurpose {
  place: 'library' | 'lesson' | 'class';
  /** Target of the upload: a lesson, a class, or a class's file that is replaced. */
  of: {
    times_id?: number | undefined;
    times_type?: 1 | 2 | 3 | 4 | undefined;
    class_id?: number | undefined;
    ware?: number | undefined;
  };
}

interface UploadFormProps extends UploadPurpose {
  /** Address to which the browser posts the form without client JS. */
  action: string;
  /** Address to which client JS sends the form. */
  sendTo: string;
  /** Name of the current file, when editing. */
  present?: string | undefined;
  classifies: MaterialClassify[];
  closeHref: string;
  kept?: Values<NamesOf<typeof uploadClassMaterial>> | undefined;
  refused: RefusedForm | undefined;
}

const { RadioField, SelectField } = formOf<typeof uploadMaterial>();

export function UploadForm(props: UploadFormProps) {
  const { of, action, sendTo, present, classifies, closeHref, kept, refused } = props;
  // Classes accept the same file formats as lessons.
  const place: UploadPlace = props.place === 'library' ? 'library' : 'lesson';
  const shownType = new Map(refused?.typed).get('ware_type') ?? kept?.ware_type;
  const typedType = materialTypes.find((one) => one === Number(shownType)) ?? 1;
  const [type, setType] = useState<MaterialType>(typedType);
  const missing = present === undefined ? coursewareMessages.choose : undefined;
  const state = useFileForm({
    sendTo,
    refused,
    fault: (chosen) => (chosen ? fileFault(chosen, type, place) : missing),
  });
  const { hydrated } = state;
  const fields = hiddenOf(of);

  const changeType = (value: string) => {
    setType(materialTypes.find((one) => one === Number(value)) ?? 1);
    state.clear();
  };
  return (
    <FileForm
      state={state}
      action={action}
      closeHref={closeHref}
      submit={props.place === 'class' ? '保存' : '上传'}
      values={{ is_sync: 2, ...kept, ware_type: typedType }}
      draft={['upload', props.place, ...fields.map(([, value]) => value)].join(' ')}
      // Without client JS the chosen type is unknown here, so all extensions are offered and the server decides.
      accept={hydrated ? acceptedExtensions(type, place) : undefined}
      file={{
        label: present === undefined ? '课件文件' : '更换文件',
        required: present === undefined,
        describedBy: 'file-notes',
      }}
      notes={<FormatNotes place={place} current={hydrated ? type : undefined} />}
    >
      <HiddenFields fields={fields} />
      <SelectField
        name="ware_type"
        label="课件类型"
        withAsterisk
        choices={materialTypeChoices}
        onChange={(event) => changeType(event.currentTarget.value)}
      />
      {props.place !== 'lesson' ? (
        <MaterialFields classifies={classifies} isNameRequired={props.place === 'class'} />
      ) : (
        <>
          <NameField isRequired={false} />
          <RadioField name="is_sync" label="同步到课件库" choices={syncChoices} />
        </>
      )}
      {present !== undefined && <p className={styles.file}>现有文件：{present}</p>}
    </FileForm>
  );
}

/** Hidden fields of the form. They name the id of a class's file `id`. */
function hiddenOf({ ware: material, ...of }: UploadPurpose['of']): [string, string][] {
  return Object.entries({ ...of, id: material }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

const syncChoices = [
  [1, '是'],
  [2, '否'],
] as const;

function FormatNotes({ place, current }: { place: UploadPlace; current: MaterialType | undefined }) {
  return (
    <dl className={styles.notes} id="file-notes">
      {materialTypes
        .filter((type) => current === undefined || type === current)
        .map((type) => {
          const { formats, note } = uploadNotes(type, place);
          return (
            <div key={type}>
              <dt>{materialTypeNames[type]}</dt>
              <dd>
                支持 {formats}。{note}
              </dd>
            </div>
          );
        })}
    </dl>
  );
}
