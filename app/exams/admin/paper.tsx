/**
 * The paper of an exam. For a draft the whole page is one form: every button first saves the typed scores, so that none
 * is lost.
 */
import { Button } from '@mantine/core';
import { redirect } from 'react-router';
import { showAdminExam, showAdminPaper } from '#server/exams/admin.contract.ts';
import {
  exchangeExamQuestion,
  moveExamQuestion,
  moveSection,
  scoreExam,
  scoreSection,
  undoExamExchange,
} from '#server/exams/composing.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { idempotencyField, textOf } from '../../lib/form-data.ts';
import { idOf } from '../../lib/search.ts';
import {
  malformedForm,
  readButton,
  readPostedForm,
  redirectWithMessage,
  refusedForm,
} from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Empty } from '../../ui/empty.tsx';
import { Form, Submit } from '../../ui/form.tsx';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import { paperDrawings } from '../paper-drawings.server.ts';
import {
  adminExams,
  examImport,
  examPaper,
  examPick,
  examQuestionAdd,
  examQuestionEdit,
  examQuestionRemove,
  examRecord,
  examRule,
  sectionAdd,
  sectionEdit,
  sectionRemove,
} from '../screens.ts';
import type { Route } from './+types/paper';
import styles from './admin.posts.module.css';
import { PaperSection, placeField, scorePrefix } from './paper-section.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '试卷' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.exam.name, '试卷');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showAdminPaper);
  const client = context.get(api);
  const params = { id: examPaper.at(url).id };
  const [exam, paper] = await Promise.all([
    client.send(showAdminExam, { params }),
    client.send(showAdminPaper, { params }),
  ]);
  return {
    exam,
    detail: paper.detail,
    exchanged: examPaper.at(url).exchanged,
    drawings: paperDrawings(paper, 'answers'),
    idempotencyKey: crypto.randomUUID(),
  };
}

/** Screens that buttons open after the scores are saved, by the button's value. */
const screensByButton = {
  check: (id: number) => examRecord.href({ id }),
  section: (id: number) => sectionAdd.href(examPaper.href({ id })),
  'edit-section': (id: number, section: number) => sectionEdit.href(examPaper.href({ id }), { section }),
  'remove-section': (id: number, section: number) => sectionRemove.href(examPaper.href({ id }), { section }),
  bank: (id: number, section: number) => examPick.href(examPaper.href({ id }), { section }),
  rule: (id: number, section: number) => examRule.href(examPaper.href({ id }), { section }),
  write: (id: number, section: number) => examQuestionAdd.href({ id, section }),
  import: (id: number, section: number) => examImport.href({ id, section }),
  edit: (id: number, question: number) => examQuestionEdit.href({ id, question }),
  remove: (id: number, question: number) => examQuestionRemove.href(examPaper.href({ id }), { question }),
};
const buttons = Object.keys(screensByButton) as (keyof typeof screensByButton)[];
const changes = ['each', 'section-up', 'section-down', 'up', 'down', 'place', 'exchange', 'undo-exchange'] as const;
type Change = (typeof changes)[number];

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id } = examPaper.at(url);
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [button, what] = readButton(form, 'save', ...buttons, ...changes);
  const kept = await client.ask(scoreExam, {
    params: { id },
    body: { scores: typedScores(form), seen: textOf(form, 'seen') },
  });
  if (!kept.ok) {
    const { seen } = (kept.data ?? {}) as { seen?: unknown };
    if (typeof seen === 'string') form.set('seen', seen);
    return refusedForm(kept, form);
  }
  if (button === 'save') return redirectWithMessage(context, kept.msg, examPaper.href({ id }));
  const meant = what === undefined ? 0 : idOf(what);
  if (meant === undefined) throw malformedForm();
  if (!isChange(button)) throw redirect(screensByButton[button](id, meant));
  const key = idempotencyField(form);
  const outcome = await sendChange(client, button, { id, meant, form, key });
  if (!outcome.ok) {
    const { score, place, ...errors } = outcome.errors ?? {};
    if (score) errors[`each-${meant}`] = score;
    if (place) errors[placeField(meant)] = place;
    return refusedForm({ ...outcome, errors }, form);
  }
  const at = ofSections.includes(button) ? `section-${meant}` : `question-${meant}`;
  const to = `${examPaper.href({ id, exchanged: button === 'exchange' ? meant : undefined })}#${at}`;
  if (button === 'exchange' || button === 'undo-exchange') return redirectWithMessage(context, outcome.msg, to);
  throw redirect(to);
}

/** Changes of a section; the others are of a question. */
const ofSections: readonly Change[] = ['each', 'section-up', 'section-down'];

const isChange = (button: keyof typeof screensByButton | Change): button is Change =>
  changes.some((one) => one === button);

const typedScores = (form: FormData) =>
  [...form].flatMap(([name, score]) => {
    const id = name.startsWith(scorePrefix) ? idOf(name.slice(scorePrefix.length)) : undefined;
    return id === undefined ? [] : [{ id, score: String(score) }];
  });

function sendChange(
  client: ApiClient,
  button: Change,
  { id, meant, form, key: idempotencyKey }: { id: number; meant: number; form: FormData; key: string | undefined },
): Promise<Outcome<unknown>> {
  const ofSection = { id, sectionId: meant };
  const params = { id, questionId: meant };
  if (button === 'each') {
    const score = textOf(form, `each-${meant}`);
    return client.ask(scoreSection, { params: ofSection, body: { score }, idempotencyKey });
  }
  if (button === 'exchange') return client.ask(exchangeExamQuestion, { params, idempotencyKey });
  if (button === 'undo-exchange') return client.ask(undoExamExchange, { params, idempotencyKey });
  if (button === 'place') {
    const place = textOf(form, placeField(meant));
    return client.ask(moveExamQuestion, { params, body: { to: 'down', place }, idempotencyKey });
  }
  const body = { to: button.endsWith('up') ? 'up' : 'down' } as const;
  if (button === 'up' || button === 'down') {
    return client.ask(moveExamQuestion, { params, body, idempotencyKey });
  }
  return client.ask(moveSection, { params: ofSection, body, idempotencyKey });
}

export default function AdminPaper({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, detail, exchanged, drawings, idempotencyKey } = loaderData;
  const { id, name, score, pass_score, ques_num, refusals } = exam;
  const editable = refusals.paper === null;
  const paper = detail.map((section) => (
    <PaperSection key={section.section.id} {...section} editable={editable} exchanged={exchanged} drawings={drawings} />
  ));
  return (
    <Screen>
      {editable ? (
        <Form idempotencyKey={idempotencyKey} refused={actionData} values={{ seen: exam.paper_seen }} noValidate>
          <HiddenField name="seen" />
          {/* Enter in a score field presses the form's first button, so the first one is a hidden button that only saves. */}
          <button type="submit" name="intent" value="save" className="visually-hidden" tabIndex={-1} aria-hidden="true">
            保存分值
          </button>
          <header className={styles.head}>
            <h1>{name}</h1>
            <p>
              总分 <strong>{formatScore(score)}</strong>，{ques_num}题，及格分 {formatScore(pass_score)}
            </p>
            <div className={styles.tools}>
              <Submit intent="section" variant={detail.length === 0 ? undefined : 'default'}>
                添加部分
              </Submit>
              {ques_num > 0 && <Submit intent="save">保存分值</Submit>}
              <Submit intent="check" variant="default">
                检查与发布
              </Submit>
            </div>
          </header>
          {paper}
          {detail.length === 0 && <Empty>试卷还没有部分，先添加一个部分，再向其中添加题目。</Empty>}
        </Form>
      ) : (
        <>
          <header className={styles.head}>
            <h1>{name}</h1>
            <p>
              总分 <strong>{formatScore(score)}</strong>，{ques_num}题，及格分 {formatScore(pass_score)}
            </p>
            <p className={styles.note}>{refusals.paper}</p>
            <div className={styles.tools}>
              <Button component="a" href={examRecord.href({ id })} variant="default">
                返回详情
              </Button>
            </div>
          </header>
          {paper}
        </>
      )}
    </Screen>
  );
}
