/** A question as administrators see it: with its owner, and whether it is public. */
import { Button } from '@mantine/core';
import { showBankQuestion } from '#server/questions/bank.contract.ts';
import { api } from '../../api/client.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { QuestionView } from '../question-view.tsx';
import { bankQuestionDetail, bankScreen, questionMoving, questionSharing } from '../screens.ts';
import { questionTypeName } from '../terms.ts';
import type { Route } from './+types/detail';

export const handle: ScreenHandle = {
  crumbs: [{ label: '题库管理', href: bankScreen.href() }, { label: '题目详情' }],
};

export const meta: Route.MetaFunction = () => titleMeta('题目详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showBankQuestion);
  const { id } = bankQuestionDetail.at(url);
  return {
    question: await context.get(api).send(showBankQuestion, { params: { id } }),
    here: bankQuestionDetail.href({ id }),
  };
}

export default function BankDetail({ loaderData: { question, here } }: Route.ComponentProps) {
  const isPublic = question.is_public === 1;
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {questionTypeName(question.ques_type)}{' '}
            <Tag tone={isPublic ? 'good' : 'plain'}>{isPublic ? '公共' : '未公开'}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="所有者">{question.owner}</Fact>
            <Fact term="学校">{question.school_name}</Fact>
            <Fact term="知识点">{question.point_name || '-'}</Fact>
            <Fact term="收藏人数">{question.collected}</Fact>
            <Fact term="更新时间">
              <Moment at={question.updated_at} />
            </Fact>
          </>
        }
      />
      <Toolbar>
        <Button component="a" href={questionSharing.href(here, { chosen: [question.id], shared: isPublic ? 0 : 1 })}>
          {isPublic ? '撤回' : '设为公共'}
        </Button>
        <Button component="a" href={questionMoving.href(here, { chosen: [question.id] })} variant="default">
          移动到知识点
        </Button>
      </Toolbar>
      <QuestionView question={question} />
    </Screen>
  );
}
