/** 班级圈子: posts, publishing with pictures, and for head teachers deleting one or several. */
import { Button } from '@mantine/core';
import { PostCard } from '../../community/post-card.tsx';
import { PostForm } from '../../community/post-form.tsx';
import { circlePost, postDeletion } from '../../community/screens.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import type { Refused } from '../../ui/form.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classCircle } from '../screens.ts';
import styles from './tabs.module.css';

export function CircleTab({ shown, klass, refused }: TabProps<'circle'> & { refused: Refused | undefined }) {
  const { posts, idempotencyKey } = shown;
  const view = useAddress(classCircle);
  const timezone = useTimezone();
  const list = posts.list.map((post) => {
    const mayDelete = post.is_can_delete === 1;
    return (
      <PostCard
        key={post.id}
        post={post}
        href={circlePost.href({ id: post.id, group_id: post.group_id, type: 1 })}
        timezone={timezone}
        before={
          mayDelete && <input type="checkbox" name="post" value={post.id} aria-label={`选择${post.nickname}的帖子`} />
        }
        actions={mayDelete && <a href={postDeletion.href(view.here, { post: [post.id] })}>删除</a>}
      />
    );
  });
  return (
    <>
      <h2 className="visually-hidden">班级圈子</h2>
      <PostForm action={classCircle.href({ id: klass.id })} idempotencyKey={idempotencyKey} refused={refused} />
      {posts.list.length === 0 && <p className={styles.empty}>暂无帖子</p>}
      {posts.list.some(({ is_can_delete }) => is_can_delete === 1) ? (
        // The chosen posts stand in the address of the dialog that asks.
        <AddressForm href={postDeletion.href(view.here)}>
          <div className={styles.toolbar}>
            <Button type="submit" variant="default">
              批量删除
            </Button>
          </div>
          {list}
        </AddressForm>
      ) : (
        list
      )}
      <Pager {...posts} href={view.page} />
    </>
  );
}
