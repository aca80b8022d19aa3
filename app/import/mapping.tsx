/** Form that maps the columns of an uploaded list. The mapping is reused for the next list from the same source. */
import { Alert } from '@mantine/core';
import { mapImport, showMapping } from '#server/import/contract.ts';
import { listKinds } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/mapping';
import styles from './import.posts.module.css';
import { importDetail, importMapping, importScreen } from './screens.ts';
import { listNames, modeChoices } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '各列的含义' }] };

export const meta: Route.MetaFunction = () => titleMeta('各列的含义');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, mapImport);
  const { id, kind } = importMapping.at(url);
  const query = kind === '' ? {} : { kind };
  const list = await context.get(api).send(showMapping, { params: { id }, query });
  return { id, list, idempotencyKey: crypto.randomUUID() };
}

const columnField = (at: number) => `column-${at}` as const;

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = importMapping.at(url);
  return handleForm(sent, importDetail.href({ id }), (client, idempotencyKey, form) => {
    const columns: string[] = [];
    for (let at = 0; form.get(columnField(at)) !== null; at += 1) columns.push(textOf(form, columnField(at)));
    const kind = listKinds.find((one) => one === textOf(form, 'kind')) ?? 'student';
    const mode = textOf(form, 'mode') === 'bulk' ? 'bulk' : 'delta';
    return client.ask(mapImport, { params: { id }, body: { kind, mode, columns }, idempotencyKey });
  });
};

const { Form, RadioField, SelectField } = formOf<typeof mapImport, `column-${number}`>();

const exampleOf = (examples: readonly string[][], at: number): string =>
  `如：${examples.map((cells) => cells[at] ?? '').find((cell) => cell !== '') ?? '空'}`;

export default function ImportMapping({ loaderData, actionData }: Route.ComponentProps) {
  const { id, list, idempotencyKey } = loaderData;
  const [other = 'student'] = listKinds.filter((kind) => kind !== list.kind);
  const choices = list.choices.map((choice) => [choice, choice] as const);
  return (
    <Screen title="各列的含义" card>
      {list.failure && !actionData && <Alert>{list.failure}</Alert>}
      <p>
        下面是按标题和内容猜的，请核对后保存；同一来源的下一份名单照此读取。这是<strong>{listNames[list.kind]}</strong>
        ，<a href={importMapping.href({ id, kind: other })}>改为{listNames[other]}</a>；必须有{list.required.join('、')}
        。
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.preview} aria-label="文件的前几行" tabIndex={0}>
        <table>
          <caption>文件的前{list.examples.length}行</caption>
          <thead>
            <tr>
              {list.columns.map(({ head }) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.examples.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have nothing else, and never move
              <tr key={row}>
                {list.columns.map(({ head }, at) => (
                  <td key={head}>{cells[at]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Form
        action={importMapping.href({ id, kind: list.kind })}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          kind: list.kind,
          mode: list.mode,
          ...Object.fromEntries(list.columns.map(({ field }, at) => [columnField(at), field])),
        }}
        className={styles.form}
        noValidate
      >
        <HiddenField name="kind" />
        {list.columns.map(({ head }, at) => (
          <SelectField
            key={head}
            name={columnField(at)}
            label={head}
            description={exampleOf(list.examples, at)}
            placeholder="不读取"
            choices={choices}
          />
        ))}
        <RadioField name="mode" label="范围" choices={modeChoices} />
        <Submit>保存并检查</Submit>
      </Form>
    </Screen>
  );
}
