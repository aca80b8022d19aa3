import { Button } from '@mantine/core';
import { data } from 'react-router';
import { cancelCollect, collectQuestion, showPublicQuestions } from '#server/questions/contract.ts';
import { listOwnErrorReports } from '#server/questions/error-reports.contract.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Form, Submit } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/detail';
import styles from './detail.module.css';
import { LabelledRow, QuestionView } from './question-view.tsx';
import {
  errorReportForm,
  questionDetail,
  questionEdit,
  questionList,
  questionRecord,
  removeQuestions,
} from './screens.ts';
import { Tags } from './tags.tsx';
import { errorTypeNames, outcomeName } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '题目详情' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('题目详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id } = questionDetail.at(url);
  const client = context.get(api);
  const [question] = await client.send(showPublicQuestions, { params: { ids: String(id) } });
  if (!question) throw data({ msg: missingQuestion }, { status: 404 });
  const errorReports = question.is_public === 1 ? await client.send(listOwnErrorReports, { params: { id } }) : [];
  return { question, errorReports };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const [button, collectId = ''] = readButton(await readPostedForm(request, context), 'collect', 'uncollect');
  const outcome =
    button === 'uncollect'
      ? await client.ask(cancelCollect, { params: { collectId } })
      : await client.ask(collectQuestion, { body: { ques_id: questionDetail.at(url).id, type: 3 } });
  return redirectBack(context, outcome, url);
}

export default function QuestionDetailPage({ loaderData: { question, errorReports } }: Route.ComponentProps) {
  const { id, is_owner, is_public, point_name, remark, tags, updated_at } = question;
  return (
    <Screen card>
      <header className={styles.header}>
        <h1>题目详情</h1>
        <div className={`${styles.actions} no-print`}>
          {is_public === 1 && <CollectButton collectId={question.collect_id} />}
          {is_public === 1 && (
            <Button component="a" variant="default" href={errorReportForm.href(questionDetail.href({ id }))}>
              纠错
            </Button>
          )}
          {is_owner === 1 && (
            <Button component="a" variant="default" href={questionRecord.href({ id })}>
              使用记录
            </Button>
          )}
          {is_owner === 1 && (
            <Button component="a" variant="default" href={removeQuestions.href(questionList.href(), { ids: [id] })}>
              删除
            </Button>
          )}
          {is_owner === 1 && (
            <Button component="a" href={questionEdit.href({ id })}>
              编辑
            </Button>
          )}
        </div>
      </header>
      <QuestionView question={question} />
      <div className={styles.more}>
        {point_name && <LabelledRow label="知识点">{point_name}</LabelledRow>}
        {tags.length > 0 && (
          <LabelledRow label="标签">
            <Tags tags={tags} />
          </LabelledRow>
        )}
        {is_owner === 1 && <LabelledRow label="备注">{remark || '-'}</LabelledRow>}
        <LabelledRow label="更新时间">
          <NearMoment at={updated_at} />
        </LabelledRow>
        {errorReports.length > 0 && (
          <LabelledRow label="我的纠错">
            <ul className={styles.corrections}>
              {errorReports.map((one) => (
                <li key={one.id}>
                  {errorTypeNames[one.type]}：<span data-written>{one.error_msg}</span>（{outcomeName(one.outcome)}
                  {one.decided_at !== null && (
                    <>
                      {' '}
                      <NearMoment at={one.decided_at} />
                    </>
                  )}
                  ）{one.reply && <p data-written>回复：{one.reply}</p>}
                </li>
              ))}
            </ul>
          </LabelledRow>
        )}
      </div>
    </Screen>
  );
}

function CollectButton({ collectId }: { collectId: number | null }) {
  return (
    <Form>
      <Submit
        intent={collectId === null ? 'collect' : `uncollect ${collectId}`}
        variant="default"
        aria-pressed={collectId !== null}
      >
        {collectId === null ? '☆ 收藏' : '★ 取消收藏'}
      </Submit>
    </Form>
  );
}
