/** Form that says what each column of a spreadsheet holds, beside its first rows. Two screens use it. */
import { Alert, Button } from '@mantine/core';
import type { ImportColumns } from '#server/questions/import.contract.ts';
import { importMessages } from '#server/questions/import.rules.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import styles from './import.work.module.css';
import { columnField, titleRowField } from './import-columns-fields.ts';
import { SmallSelect } from './import-fields.tsx';
import { Notes } from './import-row.tsx';

interface ImportColumnsProps {
  found: ImportColumns;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
  backHref: string;
}

export function ImportColumnsPage({ found, idempotencyKey, refused, backHref }: ImportColumnsProps) {
  const { file_name, sheets, choices, corrected, notes } = found;
  return (
    <Screen title="列对应" card>
      <p>
        {file_name}：请核对每一列的内容，不需要的列选“不导入”。没有选任何列的工作表不读取；要读取的工作表必须有
        {[...new Set(sheets.flatMap(({ needed }) => needed))].join('、')}。
      </p>
      <Form
        className={styles.preview}
        idempotencyKey={idempotencyKey}
        refused={refused}
        values={valuesOf(sheets)}
        noValidate
      >
        <HiddenField name="acknowledged" />
        {!refused && <Notes title="文件" notes={notes} kind="bad" />}
        {corrected > 0 && !refused && <Alert>{importMessages.lostCorrections(corrected)}</Alert>}
        {sheets.map((sheet, at) => (
          <SheetFields
            key={sheet.name}
            sheet={sheet}
            at={at}
            choices={choices}
            error={refused?.errors?.[`sheets.${at}`]?.[0]}
          />
        ))}
        <div className={styles.commit}>
          <Button component="a" href={backHref} variant="default">
            返回
          </Button>
          <Submit>按此读取</Submit>
        </div>
      </Form>
    </Screen>
  );
}

const valuesOf = (sheets: ImportColumns['sheets']) => ({
  acknowledged: '',
  ...Object.fromEntries(
    sheets.flatMap(({ title_row, columns }, at) => [
      [titleRowField(at), title_row],
      ...columns.map((column, index) => [columnField(at, index), column]),
    ]),
  ),
});

interface SheetProps {
  sheet: ImportColumns['sheets'][number];
  at: number;
  choices: ImportColumns['choices'];
  error: string | undefined;
}

function SheetFields({ sheet: { name, rows, columns, title_row }, at, choices, error }: SheetProps) {
  const columnChoices = choices.map((choice) => [choice.column, choice.name] as const);
  return (
    <section className={styles.sheet} aria-labelledby={`sheet-${at}`}>
      <h2 id={`sheet-${at}`}>{name}</h2>
      {error && <p className={styles.error}>{error}</p>}
      <SmallSelect
        name={titleRowField(at)}
        label="标题所在的行"
        of="sheet"
        className={styles.titleRow}
        choices={[[0, '没有标题，第一行就是题目'], ...rows.map(({ number }) => [number, `第${number}行`] as const)]}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.columns} aria-label={`“${name}”的前几行`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                <th key={index} scope="col">
                  <SmallSelect
                    name={columnField(at, index)}
                    label={`${lettersOf(index)}列`}
                    of="column"
                    choices={columnChoices}
                    empty="不导入"
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, cells }) => (
              <tr key={number} data-titles={number === title_row ? '' : undefined}>
                <th scope="row">{number}</th>
                {columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                  <td key={index}>{cells[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** Letters of a column by its index from 0, up to ZZ. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : String.fromCharCode(64 + Math.floor(index / 26))) + String.fromCharCode(65 + (index % 26));
