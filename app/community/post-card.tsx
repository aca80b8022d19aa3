/** A post in a list: author, time, excerpt, pictures, counts and actions. */
import type { ReactNode } from 'react';
import type { Post } from '#server/community/contract.ts';
import { NearMoment } from '../ui/moment.tsx';
import { RowAction } from '../ui/row-action.tsx';
import styles from './post.posts.module.css';
import { userTypeNames } from './terms.ts';

const excerptLength = 240;

interface PostCardProps {
  post: Post;
  href: string;
  /** True to show the name of the post's circle, in lists over several circles. */
  isGroupShown?: boolean;
  /** Shown before the author, such as a checkbox. */
  before?: ReactNode;
  actions?: ReactNode;
  /** Address of the dialog that deletes the post, if the user may delete it. */
  deleteHref?: string;
}

export function PostCard({ post, href, isGroupShown, before, actions, deleteHref }: PostCardProps) {
  const characters = [...post.content];
  const isLong = characters.length > excerptLength;
  return (
    <article className={styles.card} aria-label={`${post.nickname}的帖子`}>
      <div className={styles.head}>
        {before}
        <Author {...post} />
        {isGroupShown && <span className={styles.group}>{post.group_name}</span>}
        <NearMoment at={post.created_at} />
      </div>
      <p className={styles.content}>
        {isLong ? `${characters.slice(0, excerptLength).join('')}…` : post.content}
        {isLong && <a href={href}>查看全文</a>}
      </p>
      <Pictures images={post.images} />
      <div className={styles.foot}>
        <span>点赞 {post.like_num}</span>
        <a href={href}>评论 {post.comment_num}</a>
        {post.report_num > 0 && <span className={styles.reported}>被举报 {post.report_num} 次</span>}
        <span className={styles.actions}>
          <a href={href}>详情</a>
          {actions}
          {deleteHref && post.is_can_delete === 1 && (
            <RowAction label="删除" recordName={`${post.nickname}的帖子`} href={deleteHref} danger />
          )}
        </span>
      </div>
    </article>
  );
}

export function Author({ nickname, user_type }: Pick<Post, 'nickname' | 'user_type'>) {
  return (
    <span className={styles.author}>
      <strong>{nickname}</strong>
      <span className={styles.tag} data-type={user_type}>
        {userTypeNames[user_type]}
      </span>
    </span>
  );
}

/** Thumbnails, each linked to the full picture. */
export function Pictures({ images }: { images: readonly string[] }) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.pictures}>
      {images.map((path, index) => (
        <li key={path}>
          <a href={path} target="_blank" rel="noreferrer">
            <img src={path} alt={`图片 ${index + 1}，共 ${images.length} 张`} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  );
}
