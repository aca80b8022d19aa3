/**
 * The grading screen (document 1, section 2): a student's answer, the panel, the answer card. Complete as plain forms
 * and links; in the browser the next answer is there at once and saving happens behind it.
 */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { AnswerImage, ReviewConflict } from '#server/correction/contract.ts';
import { usePerson } from '../shell/use-school.ts';
import { Tabs } from '../ui/tabs.tsx';
import { addressSearch } from './address.ts';
import { AnswerCard } from './answer-card.tsx';
import { closedReason, type Desk, type DeskPlaces, isRated } from './desk.ts';
import { ConflictDialog, FinishDialog, KeysDialog } from './desk-dialogs.tsx';
import { DeskHead } from './desk-head.tsx';
import { GradePanel, type PanelFaults, panelForm, seenPanel } from './grade-panel.tsx';
import styles from './grading-desk.module.css';
import { ObjectiveAnswer, QuestionText, QuestionTitle, Reference, SubjectiveAnswer } from './question-view.tsx';
import { PendingBar, SaveStatus } from './save-status.tsx';
import type { Draft } from './shelf.ts';
import { countByStatus, shownMark } from './terms.ts';
import { useDeskKeys } from './use-desk-keys.ts';
import { type LiveDesk, useLiveDesk } from './use-live-desk.ts';
import { useUploads } from './use-uploads.ts';

const MarkupBoard = lazy(() => import('./markup-board.tsx').then(({ MarkupBoard: Board }) => ({ default: Board })));

/** A form that was refused: what was typed is shown again, with the sentence and the messages. */
export interface RefusedMark {
  msg: string;
  faults: PanelFaults;
  typed: Partial<Draft>;
  conflict?: ReviewConflict | undefined;
}

interface GradingDeskProps {
  desk: Desk;
  places: DeskPlaces;
  refused: RefusedMark | undefined;
  /** A dialog of its own address lies over it. */
  covered: boolean;
}

export function GradingDesk({ desk: first, places, refused, covered }: GradingDeskProps) {
  const person = usePerson();
  const desk = useLiveDesk(
    first,
    places,
    person?.id ?? 0,
    refused && { typed: refused.typed, version: refused.conflict?.version },
  );
  const { store, view, live } = desk;
  const { desk: shown, notice, loading } = view;
  const closed = closedReason(shown);
  const waiting = store.waitingHere();
  const [dialog, setDialog] = useState<'finish' | 'keys' | undefined>();
  const finish = () => {
    store.save(false);
    if (store.waitingHere() === 0) setDialog('finish');
  };
  return (
    <div className={styles.desk} aria-busy={loading || undefined}>
      <DeskHead
        desk={shown}
        places={places}
        waiting={waiting}
        closed={closed !== undefined}
        live={live ? { onSkip: () => store.skip(), onFinish: finish } : undefined}
      />
      <PendingBar store={store} pending={view.pending} signInHref={signInHref(shown, places, view.questionId)} />
      {refused?.msg && view.turn === 0 && <Refused refused={refused} desk={shown} />}
      {shown.address.batch !== undefined && <TakeBack />}
      {notice && (
        <p className={styles.notice} data-kind={notice.kind} role={notice.kind === 'success' ? 'status' : 'alert'}>
          {notice.text}
        </p>
      )}
      {view.unkept && <p className={styles.notice}>本机存储空间不足，未保存的内容不会在本机保留</p>}
      <Tabs
        label="题目"
        current={String(shown.address.type)}
        tabs={([1, 2] as const).map((type) => ({
          key: String(type),
          label: type === 1 ? '主观题' : '客观题',
          href: `${places.base}${addressSearch({ ...shown.address, type, ques_id: undefined, batch: undefined })}`,
          count: type === 1 ? waiting : undefined,
        }))}
      />
      {closed && <Closed reason={closed} desk={shown} places={places} />}
      {shown.address.type === 2 ? (
        <Objective desk={shown} />
      ) : (
        <Subjective
          desk={desk}
          closed={closed !== undefined}
          faults={view.turn === 0 ? refused?.faults : undefined}
          covered={covered}
          dialog={dialog}
          onDialog={setDialog}
          onFinish={finish}
          places={places}
        />
      )}
    </div>
  );
}

/** Signing in leads back to the same answer. */
const signInHref = ({ address }: Desk, { base }: DeskPlaces, ques_id: number | undefined) =>
  `/login?redirectTo=${encodeURIComponent(`${base}${addressSearch({ ...address, ques_id })}`)}`;

function Closed({ reason, desk, places }: { reason: string; desk: Desk; places: DeskPlaces }) {
  const { report_id, class_id } = desk.address;
  return (
    <p className={styles.notice}>
      {reason}。<a href={places.view(report_id, class_id)}>查看报告</a>
      {desk.nextReportId !== null && (
        <>
          {' '}
          <a
            href={`${places.base}${addressSearch({ ...desk.address, report_id: desk.nextReportId, ques_id: undefined })}`}
          >
            批改下一份
          </a>
        </>
      )}
    </p>
  );
}

/** The form came back: why, and in a conflict both marks and the choice. */
function Refused({ refused, desk }: { refused: RefusedMark; desk: Desk }) {
  const { msg, conflict, typed } = refused;
  const mine = typed.user_score ? Number(typed.user_score) : null;
  return (
    <div className={styles.notice} data-kind="bad" role="alert">
      <p>{msg}</p>
      {conflict && (
        <p>
          {conflict.name}：<strong>{shownMark(isRated(desk), conflict.user_score)}</strong>，您的评分：
          <strong>{shownMark(isRated(desk), mine)}</strong>（未保存）。点“保存”使用您的评分，或
          <a href={addressSearch(desk.address)}>保留对方的评分</a>。
        </p>
      )}
    </div>
  );
}

/** Equal answers that were just graded together. */
function TakeBack() {
  return (
    <form method="post" className={styles.notice} data-kind="success">
      已为相同的答案一并评分。
      <button type="submit" name="intent" value="undo" className={styles.undo}>
        撤销
      </button>
    </form>
  );
}

function Objective({ desk }: { desk: Desk }) {
  const rated = isRated(desk);
  const counts = countByStatus(desk.objective, [1, 2, 3]);
  return (
    <div className={styles.columns}>
      <main className={styles.main}>
        {desk.questions.length === 0 && <p className={styles.empty}>本作业没有客观题</p>}
        {desk.questions.map((question) => (
          <article key={question.id} className={styles.question}>
            <h2 className={styles.title}>
              <QuestionTitle question={question} rated={rated} status={question.status} mark={question.user_score} />
            </h2>
            <QuestionText question={question} />
            <ObjectiveAnswer question={question} />
            <Reference question={question} open />
          </article>
        ))}
      </main>
      <aside className={styles.side}>
        <AnswerCard
          places={desk.objective.map(({ question_id, sort, status }) => ({
            id: question_id,
            label: sort,
            status,
            here: false,
          }))}
          counts={counts}
          form={undefined}
        />
      </aside>
    </div>
  );
}

interface SubjectiveProps {
  desk: LiveDesk;
  places: DeskPlaces;
  closed: boolean;
  faults: PanelFaults | undefined;
  covered: boolean;
  dialog: 'finish' | 'keys' | undefined;
  onDialog: (dialog: 'finish' | 'keys' | undefined) => void;
  onFinish: () => void;
}

function Subjective({ desk, places, closed, faults, covered, dialog, onDialog, onFinish }: SubjectiveProps) {
  const { store, view, live } = desk;
  const { desk: shown } = view;
  const question = store.question();
  const standing = store.standing();
  const score = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [board, setBoard] = useState<number | undefined>();
  const [later, setLater] = useState<readonly string[]>([]);
  const uploads = useUploads(store, places);
  const conflict = view.pending.find(({ id, state }) => state === 'conflict' && !later.includes(id));
  const blocked = covered || dialog !== undefined || board !== undefined || conflict !== undefined;
  const [keysOn, setKeysOn] = useDeskKeys(desk, {
    score,
    blocked,
    onFinish,
    onDraw: setBoard,
    onHelp: () => onDialog('keys'),
  });

  // A new answer begins at its top, and its heading is read out.
  const { turn } = view;
  useEffect(() => {
    if (turn === 0) return;
    const top = heading.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) heading.current?.scrollIntoView({ block: 'start' });
    if (document.activeElement === document.body || score.current === document.activeElement || isCard()) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [turn]);

  if (!question || !standing) return <p className={styles.empty}>本作业没有主观题</p>;
  const rated = isRated(shown);
  const blank = standing.status === 3;
  const images: AnswerImage[] = question.answerImages.map(({ url }, place) => ({
    url,
    draw: view.draft.image[place]?.draw ?? standing.images[place]?.draw ?? '',
    path: view.draft.image[place]?.path ?? standing.images[place]?.path ?? '',
  }));
  const panelFaults = { ...faults, ...(view.fault ? { user_score: view.fault } : {}), ...uploads.faults };
  return (
    <div className={styles.columns}>
      <main className={styles.main}>
        <article key={store.id()} className={styles.question}>
          <h2 className={styles.title} ref={heading} tabIndex={-1}>
            <QuestionTitle question={question} rated={rated} status={standing.status} mark={standing.user_score} />
            {shown.round && <span className={styles.name}>{shown.report.nickname}</span>}
          </h2>
          <QuestionText question={question} />
          <Reference question={question} open />
          <SubjectiveAnswer question={question} images={images} onDraw={live && !closed ? setBoard : undefined} />
          {standing.reviewer_name && !closed && <p className={styles.quiet}>上次批改：{standing.reviewer_name}</p>}
        </article>
      </main>
      <aside className={styles.side}>
        {!closed && (
          <GradePanel
            key={live ? `${store.id()} live` : store.id()}
            question={question}
            rated={rated}
            blank={blank}
            draft={view.draft}
            seen={seenPanel(store.freshDraft())}
            version={view.seenVersion}
            faults={panelFaults}
            state={live && <SaveStatus store={store} />}
            scoreRef={score}
            live={
              live
                ? {
                    onType: (change) => store.type(change),
                    onSave: () => store.saveAndGo(),
                    onComment: (comment) => store.toggleComment(comment),
                    onAttach: uploads.attach,
                    uploading: uploads.uploading,
                    keysOn,
                  }
                : undefined
            }
          />
        )}
        <Card desk={desk} closed={closed} places={places} />
        {live && !closed && (
          <button type="button" className={styles.help} onClick={() => onDialog('keys')}>
            快捷键 <kbd>?</kbd>
            {!keysOn && '（已关闭）'}
          </button>
        )}
      </aside>
      {dialog === 'finish' && (
        <FinishDialog
          nickname={shown.report.nickname}
          onClose={() => onDialog(undefined)}
          onFinish={(comment) => {
            onDialog(undefined);
            store.finish(comment);
          }}
        />
      )}
      {dialog === 'keys' && (
        <KeysDialog rated={rated} on={keysOn} onSwitch={setKeysOn} onClose={() => onDialog(undefined)} />
      )}
      {conflict && (
        <ConflictDialog
          key={conflict.id}
          store={store}
          pending={conflict}
          rated={rated}
          onLater={() => setLater([...later, conflict.id])}
        />
      )}
      {board !== undefined && (
        <Suspense>
          <MarkupBoard
            images={images.map(({ url, draw }, place) => ({ url, draw: uploads.drawing(place) ?? draw }))}
            index={board}
            onSave={uploads.saveDrawing}
            onChange={uploads.keepDrawing}
            onClose={() => setBoard(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Answers that are the same text can be graded together; first it is shown whose they are. */
function SameAnswers({ count, onOpen }: { count: number; onOpen: (() => void) | undefined }) {
  return (
    <p className={styles.same}>
      另有 {count} 份相同的答案
      <button
        type="submit"
        form={panelForm}
        name="intent"
        value="same"
        onClick={(event) => {
          if (!onOpen) return;
          event.preventDefault();
          onOpen();
        }}
      >
        一并批改
      </button>
    </p>
  );
}

const isCard = () => document.activeElement?.getAttribute('form') === panelForm;

function Card({ desk, closed, places }: { desk: LiveDesk; closed: boolean; places: DeskPlaces }) {
  const { store, view, live } = desk;
  const { address, round } = view.desk;
  const card = store.card();
  return (
    <AnswerCard
      label={round ? '答题卡（学员）' : '答题卡'}
      places={card}
      counts={round ? store.roundCounts() : countByStatus(card, [5, 4, 1, 2, 3])}
      form={closed ? undefined : panelForm}
      onChoose={live ? (id) => store.choose(id) : undefined}
      href={
        closed
          ? (id) => `${places.base}${addressSearch({ ...address, ...(round ? { report_id: id } : { ques_id: id }) })}`
          : undefined
      }
    />
  );
}
