/** A post with its pictures, comments and actions, for CommunityShow and CommunityDetail. */
import { Alert, Button } from '@mantine/core';
import type { commentPost, PostWithComments } from '#server/community/contract.ts';
import { postCommentLimit } from '#server/community/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import type { ListView } from '../lib/list-view.ts';
import { Form, Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import styles from './post.posts.module.css';
import { Author, Pictures } from './post-card.tsx';
import { postDeletion, postReport, type postScreens } from './screens.ts';

interface PostPageProps {
  post: PostWithComments;
  back: { label: string; href: string };
  idempotencyKey: string;
  refused: RefusedForm | undefined;
  /** Paging of the post's comments, as in the address. */
  view: ListView & { here: AddressOf<typeof postScreens> };
}

/** Shortens the name of a circle so that it fits a button on a phone. */
const shortenName = (name: string) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

export function PostPage(props: PostPageProps) {
  const { post, back, view, refused } = props;
  return (
    <Screen title={`${post.nickname}的帖子`}>
      <Toolbar>
        <Button component="a" href={back.href} variant="default" title={`返回${back.label}`}>
          返回{shortenName(back.label)}
        </Button>
      </Toolbar>
      <article className={styles.whole} id="post">
        <div className={styles.head}>
          <Author {...post} />
          <span className={styles.group}>{post.group_name}</span>
          <NearMoment at={post.created_at} />
        </div>
        <p className={styles.content}>{post.content}</p>
        <Pictures images={post.images} />
        {refused && !refused.errors?.content && <Alert>{refused.msg}</Alert>}
        <PostActions post={post} here={view.here} back={back.href} />
      </article>
      <Comments {...props} />
    </Screen>
  );
}

interface PostActionsProps {
  post: PostWithComments;
  here: AddressOf<typeof postScreens>;
  /** Address of the list from which the post was opened. */
  back: string;
}

function PostActions({ post, here, back }: PostActionsProps) {
  const isLiked = post.is_like === 1;
  const isCollected = post.collect_id > 0;
  return (
    <Form action={here} className={styles.deeds}>
      <Submit intent={isLiked ? 'unlike' : 'like'} variant="default">
        {isLiked ? '取消点赞' : '点赞'} {post.like_num}
      </Submit>
      <Submit intent={isCollected ? `uncollect ${post.collect_id}` : 'collect'} variant="default">
        {isCollected ? '取消收藏' : '收藏'}
      </Submit>
      {post.refusals.report === null && (
        <Button component="a" href={postReport.href(here)} variant="default">
          举报
        </Button>
      )}
      {post.is_can_delete === 1 && (
        <Button
          component="a"
          href={postDeletion.href(here, { post: [post.id], to: back })}
          variant="outline"
          color="red"
        >
          删除
        </Button>
      )}
      {post.report_num > 0 && <span className={styles.reported}>被举报 {post.report_num} 次</span>}
    </Form>
  );
}

const comment = formOf<typeof commentPost>();

function Comments({ post, idempotencyKey, refused, view }: PostPageProps) {
  const { comments, comment_num, page, limit } = post;
  return (
    <section className={styles.comments} id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">评论 {comment_num}</h2>
      <comment.Form
        action={view.here}
        idempotencyKey={idempotencyKey}
        refused={refused?.errors?.content && refused}
        draft={`comment ${post.id}`}
      >
        <comment.AreaField
          name="content"
          id="comment"
          label="发表评论"
          withAsterisk
          limit={postCommentLimit}
          rows={2}
        />
        <p className={styles.submit}>
          <Submit intent="comment">评论</Submit>
        </p>
      </comment.Form>
      <List
        view={view}
        result={{ list: comments, total: comment_num, page, limit }}
        nothing={comment_num > 0 ? '这一页没有评论' : '还没有评论'}
        body={(rows) => (
          <ol>
            {rows.map((comment) => (
              <li key={comment.id}>
                <div className={styles.head}>
                  <Author {...comment} />
                  <NearMoment at={comment.created_at} />
                </div>
                <p>{comment.content}</p>
              </li>
            ))}
          </ol>
        )}
      />
    </section>
  );
}
