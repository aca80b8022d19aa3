/** Read-only page of one answer sheet. */

import { Button, NativeSelect } from '@mantine/core';
import { type ExamSheet, examReport } from '#server/exams/paper.contract.ts';
import { fromExamType, isShownAsWrong } from '#server/exams/rules.ts';
import { fillIn } from '#server/grading/rules.ts';
import { examReviewHistory } from '#server/grading-desk/exam.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import { AnswerCard } from '../grading/desk/answer-card.tsx';
import { drawMatching } from '../grading/matching.server.ts';
import { OverallComment, ReportBox, ReportColumns, ReportTitle, SecondaryText } from '../grading/report-frame.tsx';
import { countedStatuses, ReviewHistory } from '../grading/report-pieces.tsx';
import { examApprove, questionAnchor } from '../grading/screens.ts';
import { countByStatus } from '../grading/terms.ts';
import { formatTime } from '../lib/dates.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { Figures } from '../ui/figures.tsx';
import { Island } from '../ui/island.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/approve-view';
import styles from './approve-view.work.module.css';
import { TestStatus } from './result.tsx';
import { examDetail, examManage, examSheet } from './screens.ts';
import { SheetQuestions } from './sheet-questions.tsx';
import { formatRank, formatUsedTime, passNames } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '考试管理', href: examManage.href() }, { label: '答卷详情' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const info = loaderData?.sheet.report_info;
  return info ? titleMeta(info.nickname, info.test_name) : titleMeta('答卷详情');
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const { report_id, wrong } = examSheet.at(url);
  const client = context.get(api);
  const params = { reportId: report_id };
  const sheet = await client.send(examReport, { params });
  const questions = sheet.question.flatMap((question) => [question, ...question.ques_item]);
  return {
    sheet,
    onlyWrong: wrong,
    mayJudge:
      signedInPerson(context).permissions.includes('correct') &&
      questions.some(({ ques_type }) => fromExamType(ques_type) === fillIn),
    history: await client.send(examReviewHistory, { params }),
    drawings: Object.fromEntries(
      questions.flatMap((question) => {
        const drawing = drawMatching(question, { given: question.user_answer });
        return drawing ? [[question.id, drawing] as const] : [];
      }),
    ),
  };
}

export default function ExamPaperApproveView({ loaderData }: Route.ComponentProps) {
  const { sheet, onlyWrong, mayJudge, drawings, history } = loaderData;
  const { report_id } = useAddress(examSheet);
  return (
    <Screen>
      <Head sheet={sheet} onlyWrong={onlyWrong} mayJudge={mayJudge} />
      <ReportColumns
        sideLabel="答题卡与评语"
        side={
          <>
            <Toggle label="只看错题" on={onlyWrong} href={examSheet.href({ report_id, wrong: !onlyWrong })} />
            <Card sheet={sheet} whole={examSheet.href({ report_id })} onlyWrong={onlyWrong} />
            <OverallComment comment={sheet.report_info.comment} />
            <ReviewHistory entries={history} rated={false} />
          </>
        }
      >
        <SheetQuestions sheet={sheet} onlyWrong={onlyWrong} drawings={drawings} />
      </ReportColumns>
    </Screen>
  );
}

interface HeadProps {
  sheet: ExamSheet;
  onlyWrong: boolean;
  mayJudge: boolean;
}

function Head({ sheet, onlyWrong, mayJudge }: HeadProps) {
  const { report_info: info, report_list } = sheet;
  const timezone = useTimezone();
  const outOf = (earned: number | null, total: number) =>
    earned === null ? '-' : `${formatScore(earned)}/${formatScore(total)}`;
  // While the sheet is not graded, only the objective score is final; other scores are shown as a dash.
  const settled = (earned: number | null) => (info.test_status === 2 ? null : earned);
  const figures: [string, string][] = [
    ['排名', formatRank(info)],
    ...(info.is_pass === 0 ? [] : [['考试结果', passNames[info.is_pass]] as [string, string]]),
    ['总分', outOf(settled(info.user_score), info.sum_score)],
    ['客观题', outOf(info.objective_score, info.objective_total_score)],
    ['主观题', outOf(settled(info.subjective_score), info.subjective_total_score)],
    ['用时', formatUsedTime(info.answer_time)],
  ];
  return (
    <ReportBox>
      <div className={styles.title}>
        <ReportTitle name={info.nickname} of={info.test_name} />
        <TestStatus status={info.test_status} />
        <Button component="a" variant="default" href={examDetail.href({ id: info.exam_id })}>
          返回
        </Button>
        {mayJudge && (
          <Button component="a" variant="default" href={examApprove.href({ report_id: info.report_id, type: 2 })}>
            改判填空题
          </Button>
        )}
      </div>
      <Figures figures={figures} inCard />
      <AddressForm
        href={examSheet.href({ report_id: info.report_id, wrong: onlyWrong })}
        replacedParam="report_id"
        className={`${styles.submissions} no-print`}
      >
        <label htmlFor="submission">提交时间</label>
        <NativeSelect id="submission" name="report_id" defaultValue={info.report_id} autoComplete="off">
          {report_list.map(({ id, submit_time }, index) => (
            <option key={id} value={id}>
              {formatTime(submit_time, timezone)}
              {report_list.length > 1 && `（第 ${report_list.length - index} 次）`}
            </option>
          ))}
        </NativeSelect>
        {report_list.length > 1 && (
          <Island
            name="submission.island"
            props={{}}
            fallback={
              <Button type="submit" variant="default">
                查看
              </Button>
            }
          />
        )}
        {info.reviewer_name && <SecondaryText inline>批改人：{info.reviewer_name}</SecondaryText>}
      </AddressForm>
    </ReportBox>
  );
}

interface CardProps {
  sheet: ExamSheet;
  onlyWrong: boolean;
  /** Address of the page with all questions, to which the numbers of hidden questions link. */
  whole: string;
}

function Card({ sheet, onlyWrong, whole }: CardProps) {
  const { card_info, report_info, question } = sheet;
  const sections = card_info.map(({ id, name, child }) => ({
    id,
    name,
    places: child.map((item) => ({
      id: item.id,
      label: item.sort,
      status: item.status,
      here: false,
      signed: item.is_sign === 1,
    })),
  }));
  const all = card_info.flatMap(({ child }) => child);
  const hidden = new Set(onlyWrong ? question.filter((one) => !isShownAsWrong(one)).map(({ id }) => id) : []);
  return (
    <AnswerCard
      places={[]}
      sections={sections}
      counts={countByStatus(all, countedStatuses(report_info.test_status))}
      form={undefined}
      href={(id) => `${hidden.has(id) ? whole : ''}#${questionAnchor(id)}`}
    />
  );
}
