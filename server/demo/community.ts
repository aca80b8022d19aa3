import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { type GroupTexts, communityWords as words } from './community-words.ts';
import { demoPeople } from './demo-people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const hour = 60 * 60;
const day = 24 * hour;

interface Author {
  user_type: 1 | 2 | 3 | 4;
  staff_id: number | null;
  student_id: number | null;
}

interface PlannedPost {
  author: Author;
  content: string;
  at: number;
  images: string[];
  comments: { author: Author; content: string; at: number }[];
  /** Staff and students who like the post. */
  likes: Author[];
  reports?: Author[];
}

/** A circle and its members, who may post in it. */
interface Circle {
  staff: Author[];
  students: Author[];
}

/** Stores pictures for posts; returns their paths. */
export function storeCommunityPictures(storage: Storage): Promise<string[]> {
  return Promise.all(
    ['#1864ab', '#b3261e', '#0b6b3a', '#8a4b00', '#5f3dc4', '#0072b2', '#d55e00', '#556372', '#a61e4d'].map(
      async (colour, index) => {
        // Pictures show hills under the sun in different colours; every third is upright.
        const [width, height] = index % 3 === 1 ? [480, 640] : [640, 480];
        const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
          <rect width="100%" height="100%" fill="${colour}" fill-opacity="0.15"/>
          <circle cx="${100 + index * 45}" cy="110" r="${36 + index * 4}" fill="${colour}" fill-opacity="0.55"/>
          <path d="M0 ${height}V${height - 150}Q160 ${height - 260} 320 ${height - 140}T${width} ${height - 190}V${height}Z" fill="${colour}"/>
        </svg>`;
        const bytes = await sharp(Buffer.from(drawing))
          .flatten({ background: '#fff' })
          .jpeg({ quality: 75 })
          .toBuffer();
        const stored = await storage.put(Readable.from([bytes]), { extension: 'jpg', limit: bytes.byteLength });
        if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
        return `/files/${stored.ok.key}`;
      },
    ),
  );
}

/** Adds circles with posts. `each`: minimum and maximum posts per circle. `photographs`: paths of stored pictures. */
export async function addCommunity(
  db: Database,
  writer: RowWriter,
  {
    each: [least, most],
    photographs,
    now,
  }: { each: readonly [number, number]; photographs: readonly string[]; now: number },
): Promise<void> {
  const { classes, busiest, staffNamed } = await demoPeople(db);
  const random = seededRandom(408);
  const pictures = (count: number) => random.shuffled(photographs).slice(0, count);
  const postsOfClass = new Map<number, number[]>();

  const write = (group: number, planned: PlannedPost[]): number[] =>
    planned.sort((one, other) => one.at - other.at).map((post) => addPost(writer, group, post, now));

  for (const [index, theClass] of classes.entries()) {
    const circle: Circle = {
      staff: theClass.staff.map(({ id, identity }) => staffAuthor(id, identity)),
      students: theClass.studentIds.map(studentAuthor),
    };
    // One circle gets enough posts for two pages, the last circle gets one.
    const count =
      index === busiest ? Math.max(24, least) : index === classes.length - 1 ? 1 : random.whole(least, most);
    // No post is later than the end of the class.
    const until = Math.min(now, theClass.ends ?? now);
    const planned = plan(circle, { count, random, said: words.circle, now: until, pictures });
    planned.push(...specialPosts(circle, { index, isBusiest: index === busiest, random, now: until, pictures }));
    const group = writer.add('community_group', {
      group_type: 1,
      class_id: theClass.id,
      school_id: theClass.school_id,
      name: theClass.name,
      image: '',
      introduction: '',
      post_num: planned.length,
      user_num: 0,
      created_at: now - 190 * day,
    });
    postsOfClass.set(theClass.id, write(group, planned));
  }

  const teacher = staffNamed('teacher');
  const assist = staffNamed('assist');
  const everyStudent = [...new Set(classes.flatMap(({ studentIds }) => studentIds))];
  for (const [index, { name, introduction, quiet, without }] of words.groups.entries()) {
    const people = ['teacher', 'assist', 'teacher2', 'assist2', 'teacher4']
      .filter(
        (username) => username !== without && random.chance(username === 'teacher' || username === 'assist' ? 1 : 0.5),
      )
      .map(staffNamed);
    const students = random.shuffled(everyStudent).slice(0, random.whole(8, 40));
    const circle: Circle = {
      staff: people.map(({ id, identity }) => staffAuthor(id, identity)),
      students: students.map(studentAuthor),
    };
    const planned = quiet ? [] : plan(circle, { count: random.whole(3, 14), random, said: words.group, now, pictures });
    const group = writer.add('community_group', {
      group_type: 2,
      class_id: null,
      school_id: teacher.school_id,
      name,
      introduction,
      image: index % 3 === 0 ? (pictures(1)[0] ?? '') : '',
      post_num: planned.length,
      user_num: people.length + students.length,
      created_at: now - (160 - index * 9) * day,
    });
    for (const member of [...circle.staff, ...circle.students]) {
      const { user_type } = member;
      if (user_type === 4) continue;
      const { staff_id, student_id } = member;
      const joined_at = now - random.whole(41, 60) * day;
      writer.add('community_member', { group_id: group, user_type, staff_id, student_id, joined_at });
    }
    write(group, planned);
  }

  // Each demo account gets favourites from circles that it sees.
  for (const person of [teacher, assist]) {
    const seen = classes
      .filter(({ staff }) => staff.some(({ id }) => id === person.id))
      .flatMap(({ id }) => postsOfClass.get(id) ?? []);
    for (const [index, id] of random.shuffled(seen).slice(0, 13).entries()) {
      writer.add('community_collect', { post_id: id, staff_id: person.id, created_at: now - (index + 1) * 5 * hour });
    }
  }
}

const staffAuthor = (id: number, identity: Identity): Author => ({
  user_type: identity === 'teacher' ? 2 : 3,
  staff_id: id,
  student_id: null,
});
const studentAuthor = (id: number): Author => ({ user_type: 1, staff_id: null, student_id: id });
const theSchool: Author = { user_type: 4, staff_id: null, student_id: null };

function plan(
  circle: Circle,
  around: {
    count: number;
    random: SeededRandom;
    said: GroupTexts;
    now: number;
    pictures: (count: number) => string[];
  },
): PlannedPost[] {
  const { count, random, said, now, pictures } = around;
  const texts = random.shuffled(said.posts);
  return Array.from({ length: count }, (_, number) => {
    const byStaff = circle.students.length === 0 || random.chance(0.35);
    const author = random.pick(byStaff ? circle.staff : circle.students);
    const at = daytime(now, random);
    const content = texts[number % texts.length] as string;
    const images = pictures(random.chance(0.35) ? random.whole(1, 4) : 0);
    return { author, content, at, images, ...answers(circle, { random, said, at, now, most: 6 }) };
  });
}

/** Returns a time in the last weeks, between 7:00 and 22:00 in Shanghai. */
function daytime(now: number, random: SeededRandom): number {
  const morning = Math.floor((now - random.whole(0, 38) * day + 8 * hour) / day) * day - hour;
  const moment = morning + random.whole(0, 15 * hour);
  return moment < now - hour ? moment : moment - day;
}

/** Adds comments in the hours after a post, and likes. */
function answers(
  { staff, students }: Circle,
  around: { random: SeededRandom; said: GroupTexts; at: number; now: number; most: number },
): Pick<PlannedPost, 'comments' | 'likes'> {
  const { random, said, at, now, most } = around;
  const everybody = [...staff, ...students];
  let moment = at;
  const comments = Array.from({ length: random.whole(0, most) }, () => {
    moment = Math.min(now - 60, moment + random.whole(5 * 60, 5 * hour));
    return { author: random.pick(everybody), content: random.pick(said.comments), at: moment };
  });
  return { comments, likes: random.shuffled(everybody).slice(0, random.whole(0, Math.min(12, everybody.length))) };
}

/** Adds a post of the school to every circle, and unusual posts to the busiest one. */
function specialPosts(
  circle: Circle,
  around: {
    index: number;
    isBusiest: boolean;
    random: SeededRandom;
    now: number;
    pictures: (count: number) => string[];
  },
): PlannedPost[] {
  const { index, isBusiest, random, now, pictures } = around;
  const school: PlannedPost = {
    author: theSchool,
    content: words.school[index % words.school.length] as string,
    at: now - 3 * day,
    images: [],
    ...answers(circle, { random, said: words.circle, at: now - 3 * day, now, most: 2 }),
  };
  const [staff, student] = [circle.staff[0], circle.students[0]];
  if (!isBusiest || !staff || !student) return [school];
  const long: PlannedPost = {
    author: staff,
    content: words.long,
    at: now - 26 * hour,
    images: pictures(9),
    ...answers(circle, { random, said: words.circle, at: now - 26 * hour, now, most: 0 }),
  };
  // This post has more comments than a page shows.
  const comments = Array.from({ length: 27 }, (_, number) => ({
    author: random.pick([...circle.staff, ...circle.students]),
    content: number === 3 ? words.longComment : random.pick(words.circle.comments),
    at: now - 25 * hour + number * 40 * 60,
  }));
  const markup: PlannedPost = {
    author: student,
    content: words.markup,
    at: now - 8 * hour,
    images: pictures(1),
    ...answers(circle, { random, said: words.circle, at: now - 8 * hour, now, most: 3 }),
  };
  const reports = circle.staff.slice(1);
  const advertisement: PlannedPost = {
    author: circle.students[3] ?? student,
    content: words.advertisement,
    at: now - 5 * hour,
    images: [],
    comments: [],
    likes: [],
    reports,
  };
  return [school, { ...long, comments }, markup, advertisement];
}

function addPost(writer: RowWriter, group_id: number, post: PlannedPost, now: number): number {
  const { author, content, at, images, comments, likes, reports = [] } = post;
  const id = writer.add('community_post', {
    group_id,
    ...author,
    content,
    images: JSON.stringify(images),
    created_at: at,
    like_num: likes.length,
    comment_num: comments.length,
    report_num: reports.length,
    deleted_at: null,
    deleted_by: null,
  });
  for (const comment of comments) {
    writer.add('community_comment', {
      post_id: id,
      ...comment.author,
      content: comment.content,
      created_at: comment.at,
    });
  }
  for (const { staff_id, student_id } of likes) {
    writer.add('community_like', { post_id: id, staff_id, student_id, created_at: Math.min(now - 30, at + hour) });
  }
  for (const { staff_id } of reports) {
    if (staff_id === null) continue;
    writer.add('community_report', { post_id: id, staff_id, type: 1, content: '代写广告', created_at: at + hour });
  }
  return id;
}
