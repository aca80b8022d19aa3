/** A reported post: the complaints about it, its comments, and the decision. */
import { Alert, Button } from '@mantine/core';
import { showReportedPost, undoReports } from '#server/community/reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { idempotencyField } from '../../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { Moment, NearMoment } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { UndoLine } from '../../ui/undo-line.tsx';
import { Pictures } from '../post-card.tsx';
import { commentDeletion, reportDismissal, reportedDeletion, reportedPost, reportedPosts } from '../screens.ts';
import { reportReasonNames, reportStateNames, reportStateTones, userTypeNames } from '../terms.ts';
import type { Route } from './+types/detail';
import styles from './reports.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '帖子举报', href: reportedPosts.href() }, { label: '被举报的帖子' }],
};

export const meta: Route.MetaFunction = () => titleMeta('被举报的帖子');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showReportedPost);
  const { id } = reportedPost.at(url);
  const post = await context.get(api).send(showReportedPost, { params: { id } });
  return { post, here: reportedPost.href({ id }), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, id = ''] = readButton(form, 'undo');
  const outcome = await context.get(api).ask(undoReports, { params: { id }, idempotencyKey: idempotencyField(form) });
  return finishForm(context, outcome, reportedPost.href({ id: reportedPost.at(url).id }), form);
}

export default function ReportDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { post, here, idempotencyKey } = loaderData;
  return (
    <Screen>
      {actionData && <Alert>{actionData.msg}</Alert>}
      {post.undo_until !== null && (
        <UndoLine
          did={post.state === 'deleted' ? '帖子已删除' : '举报已驳回'}
          until={post.undo_until}
          id={post.id}
          action={here}
          idempotencyKey={idempotencyKey}
        />
      )}
      <RecordHeader
        title={
          <>
            {post.nickname}的帖子 <Tag tone={reportStateTones[post.state]}>{reportStateNames[post.state]}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="作者">
              {post.nickname}（{userTypeNames[post.user_type]}）
            </Fact>
            <Fact term="圈子">{post.group_name}</Fact>
            <Fact term="学校">{post.school_name}</Fact>
            <Fact term="发布时间">
              <Moment at={post.created_at} />
            </Fact>
            <Fact term="点赞">{post.like_num}</Fact>
            <Fact term="评论">{post.comment_num}</Fact>
            {post.decided_by && (
              <Fact term="处理">
                {post.decided_by} <NearMoment at={post.decided_at ?? 0} />
              </Fact>
            )}
          </>
        }
      />
      {post.state === 'waiting' && (
        <Toolbar>
          <Button component="a" href={reportDismissal.href(here)}>
            驳回举报
          </Button>
          <Button component="a" href={reportedDeletion.href(here)} variant="default">
            删除帖子
          </Button>
        </Toolbar>
      )}
      <p className={styles.content} data-written>
        {post.content}
      </p>
      <Pictures images={post.images} />
      <h2>举报（{post.reports}）</h2>
      <ul className={styles.list}>
        {post.list.map((report) => (
          <li key={report.id}>
            <strong>{reportReasonNames[report.type]}</strong> {report.real_name} <NearMoment at={report.created_at} />
            {report.outcome !== null && `，${report.outcome === 1 ? '帖子已删除' : '已驳回'}（${report.decided_by}）`}
            {report.content && <p data-written>{report.content}</p>}
          </li>
        ))}
      </ul>
      <h2>评论（{post.comment_num}）</h2>
      {post.comments.length === 0 && <p>暂无评论</p>}
      <ul className={styles.list}>
        {post.comments.map((comment) => (
          <li key={comment.id}>
            <strong>{comment.nickname}</strong> <NearMoment at={comment.created_at} />
            {post.state !== 'deleted' && (
              <a
                className={styles.act}
                href={commentDeletion.href(here, { comment: comment.id })}
                aria-label={`删除${comment.nickname}的评论`}
              >
                删除
              </a>
            )}
            <p data-written>{comment.content}</p>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
