/**
 * The grading screen: a student's answer, the grading panel, the answer card. Works as plain forms and links. Once
 * hydrated, it shows the next answer at once and saves in the background.
 */

import { useCallback, useState } from 'react';
import type { FormOwner } from '../../lib/form-owner.ts';
import { Empty } from '../../ui/empty.tsx';
import { Form } from '../../ui/form.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { usePerson } from '../../ui/use-school.ts';
import { Matching } from '../matching.tsx';
import {
  Attachments,
  ObjectiveAnswer,
  QuestionText,
  QuestionTitle,
  Reference,
  smallButtonClass,
} from '../question-view.tsx';
import { QuestionCard, ReportColumns } from '../report-frame.tsx';
import { countByStatus, formatMark } from '../terms.ts';
import { AnswerCard, readOnlyPlaces } from './answer-card.tsx';
import { AnswerDesk, type DeskDialog } from './answer-desk.tsx';
import { Blanks } from './blanks.tsx';
import { closedReason, type Desk, isRatedDesk } from './desk.ts';
import { DeskHead } from './desk-head.tsx';
import { EnterSaveButton, faultsOf } from './grade-panel.tsx';
import styles from './grading-desk.work.module.css';
import { type DeskAddresses, type DeskLinks, deskAddressesOf } from './links.ts';
import { draftOfFields, type RefusedMark } from './refused-mark.ts';
import { PendingBar } from './save-status.tsx';
import { useLiveDesk } from './use-live-desk.ts';

interface GradingDeskProps {
  desk: Desk;
  links: DeskLinks;
  refused: RefusedMark | undefined;
  /** True while a dialog route is open over the desk. */
  covered: boolean;
}

/** Hydrated by grading-desk.island.tsx. */
export function GradingDesk(props: GradingDeskProps) {
  const person = usePerson();
  return person && <DeskScreen {...props} person={person} />;
}

function DeskScreen({ desk: first, links, refused, covered, person }: GradingDeskProps & { person: FormOwner }) {
  const [hrefs] = useState(() => deskAddressesOf(links));
  const desk = useLiveDesk(first, hrefs, person, refused);
  const { store, view } = desk;
  const { desk: shown, notice, loading } = view;
  const closed = closedReason(shown);
  const waiting = store.waitingHere();
  const [dialog, setDialog] = useState<DeskDialog>();
  const [postponedIds, setPostponedIds] = useState<readonly string[]>([]);
  const finish = useCallback(() => {
    if (store.save(false) && store.waitingHere() === 0) setDialog('finish');
  }, [store]);
  return (
    <main className={styles.desk} inert={covered} aria-busy={loading || undefined}>
      {!closed && shown.address.type === 1 && <EnterSaveButton />}
      <DeskHead
        desk={shown}
        hrefs={hrefs}
        waiting={waiting}
        waitingReports={store.waitingReports()}
        closed={closed !== undefined}
        onSkip={store.skip}
        onFinish={finish}
      />
      <PendingBar
        store={store}
        pending={view.pending}
        signInHref={signInHref(shown, hrefs, view.questionId)}
        postponedIds={postponedIds}
        onChoose={() => setPostponedIds([])}
      />
      {refused?.msg && view.turn === 0 && <Refusal refused={refused} desk={shown} hrefs={hrefs} />}
      {shown.address.batch !== undefined && <UndoEqualMarks />}
      {notice && (
        <p className={styles.notice} data-kind={notice.kind} role={notice.kind === 'success' ? 'status' : 'alert'}>
          {notice.text}
        </p>
      )}
      {/* Always rendered, so that screen readers announce each change of its text. */}
      <p className={styles.said} role="status">
        {view.announcement}
      </p>
      {view.hasUnstoredDrafts && <p className={styles.notice}>本机存储空间不足，未保存的内容不会在本机保留</p>}
      <Tabs
        label="主观题与客观题"
        current={String(shown.address.type)}
        tabs={([1, 2] as const).map((type) => ({
          key: String(type),
          label: type === 1 ? '主观题' : '客观题',
          href: hrefs.desk({ ...shown.address, type, ques_id: undefined, batch: undefined }),
          count: type === 1 ? waiting : undefined,
        }))}
      />
      {closed && <Closed reason={closed} desk={shown} hrefs={hrefs} />}
      {shown.address.type === 2 ? (
        <Objective desk={shown} refused={refused} />
      ) : (
        <AnswerDesk
          desk={desk}
          closed={closed !== undefined}
          faults={view.turn === 0 ? faultsOf(refused) : {}}
          covered={covered}
          dialog={dialog}
          onDialog={setDialog}
          onFinish={finish}
          postponedIds={postponedIds}
          onLater={(id) => setPostponedIds([...postponedIds, id])}
          hrefs={hrefs}
        />
      )}
    </main>
  );
}

/** Address of the sign-in page, which returns to the same answer. */
const signInHref = ({ address }: Desk, hrefs: DeskAddresses, ques_id: number | undefined) =>
  hrefs.signIn(hrefs.desk({ ...address, ques_id }));

function Closed({ reason, desk, hrefs }: { reason: string; desk: Desk; hrefs: DeskAddresses }) {
  const { report_id, class_id } = desk.address;
  return (
    <p className={styles.notice}>
      {reason}。<a href={hrefs.view(report_id, class_id)}>查看报告</a>
      {desk.nextReportId !== null && (
        <>
          {' '}
          <a href={hrefs.desk({ ...desk.address, report_id: desk.nextReportId, ques_id: undefined })}>批改下一份</a>
        </>
      )}
    </p>
  );
}

/** Error of a returned form. After a conflict it shows both graders' scores and lets the grader choose. */
function Refusal({ refused, desk, hrefs }: { refused: RefusedMark; desk: Desk; hrefs: DeskAddresses }) {
  const { msg, conflict, typed = [] } = refused;
  const { user_score } = draftOfFields(typed);
  const mine = user_score ? Number(user_score) : null;
  return (
    <div className={styles.notice} data-kind="bad" role="alert">
      <p>{msg}</p>
      {conflict && (
        <p>
          {conflict.name || '现有评分'}：<strong>{formatMark(isRatedDesk(desk), conflict.user_score)}</strong>
          ，您的评分：
          <strong>{formatMark(isRatedDesk(desk), mine)}</strong>（未保存）。点“保存”使用您的评分，或
          <a href={hrefs.desk({ ...desk.address, ques_id: refused.ques_id })}>保留对方的评分</a>。
        </p>
      )}
    </div>
  );
}

/** Button to undo the grading of equal answers that were just graded together. */
function UndoEqualMarks() {
  return (
    <Form className={styles.notice} data-kind="success">
      已为相同的答案一并评分。
      <button type="submit" name="intent" value="undo" className={smallButtonClass}>
        撤销
      </button>
    </Form>
  );
}

function Objective({ desk, refused }: { desk: Desk; refused: RefusedMark | undefined }) {
  const rated = isRatedDesk(desk);
  const counts = countByStatus(desk.objective, [1, 2, 3]);
  return (
    <ReportColumns side={<AnswerCard places={readOnlyPlaces(desk.objective)} counts={counts} form={undefined} />}>
      {desk.questions.length === 0 && <Empty>本{desk.words.assignment}没有客观题</Empty>}
      {desk.questions.map((question) => (
        <QuestionCard
          key={question.id}
          heading={<QuestionTitle question={question} rated={rated} kind={question.type_name} />}
        >
          <QuestionText question={question} figure={question.drawing && <Matching drawing={question.drawing} />} />
          <Attachments files={question.attachments ?? []} />
          <ObjectiveAnswer question={question} given={question.answer_words} />
          {question.blanks && <Blanks question={question} assignment={desk.words.assignment} refused={refused} />}
          <Reference question={question} open />
        </QuestionCard>
      ))}
    </ReportColumns>
  );
}
