import { readData } from './data.ts';

export interface GroupTexts {
  posts: readonly string[];
  comments: readonly string[];
}

interface DemoGroup {
  name: string;
  introduction: string;
  /** True for a circle without posts. */
  quiet?: boolean;
  /** The demo account that is not a member of this circle. */
  without?: 'teacher' | 'assist';
}

interface Words {
  groups: DemoGroup[];
  /** Texts of posts in circles of classes, of posts in circles that people join, and of comments in both. */
  circle: string[];
  group: string[];
  comments: string[];
  school: string[];
  paragraph: string;
  markup: string;
  advertisement: string;
}

const { circle, group, comments, paragraph, ...words } = readData<Words>('community-words.json');

export const communityWords = {
  ...words,
  circle: { posts: circle, comments } satisfies GroupTexts,
  group: { posts: group, comments } satisfies GroupTexts,
  /** A post of nearly the maximum length. */
  long: Array.from({ length: 8 }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n'),
  longComment: `${paragraph}${'长'.repeat(40)}`,
};
