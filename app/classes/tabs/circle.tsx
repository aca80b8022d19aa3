/** 班级圈子 (document 3, section 2): posts, publishing with pictures, and for head teachers deleting one or several. */
import { isRunning } from '#server/classes/contract.ts';
import { circlePostAddress, deleteAddress } from '../../community/address.ts';
import { PostCard } from '../../community/post-card.tsx';
import { PostForm } from '../../community/post-form.tsx';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass } from '../../ui/button.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { loadCircleTab } from './circle.server.ts';
import { classAddress, type TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CircleTab({ data, klass, now, refused }: TabViewProps<typeof loadCircleTab>) {
  const { posts, idempotencyKey } = data;
  const timezone = useTimezone();
  const list = posts.list.map((post) => {
    const mayDelete = post.is_can_delete === 1;
    return (
      <PostCard
        key={post.id}
        post={post}
        href={circlePostAddress(post)}
        timezone={timezone}
        before={
          mayDelete && <input type="checkbox" name="post" value={post.id} aria-label={`选择${post.nickname}的帖子`} />
        }
        actions={mayDelete && <a href={deleteAddress(post, post.id, posts.page)}>删除</a>}
      />
    );
  });
  return (
    <>
      <h2 className="visually-hidden">班级圈子</h2>
      {isRunning(klass, now) ? (
        <PostForm action={classAddress(klass.id, 'circle')} idempotencyKey={idempotencyKey} refused={refused} />
      ) : (
        <p className={styles.note}>班级已结束，不能发布帖子</p>
      )}
      {posts.list.length === 0 && <p className={styles.empty}>暂无帖子</p>}
      {posts.list.some(({ is_can_delete }) => is_can_delete === 1) ? (
        // The chosen posts stand in the address of the dialog that asks.
        <form action="/classes/detail/delete-posts">
          <HiddenFields
            fields={[
              ['id', String(klass.id)],
              ['tab', 'circle'],
              ...(posts.page > 1 ? [['page', String(posts.page)] as const] : []),
            ]}
          />
          <div className={styles.toolbar}>
            <button type="submit" className={buttonClass('plain')}>
              批量删除
            </button>
          </div>
          {list}
        </form>
      ) : (
        list
      )}
      <Pager {...posts} href={(page) => classAddress(klass.id, 'circle', { page })} />
    </>
  );
}
