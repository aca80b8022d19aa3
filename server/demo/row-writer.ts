/** Bulk inserts: buffers rows per table and writes them in the order of foreign keys. */
import { CompiledQuery, type Insertable } from 'kysely';
import type { Database, Engine } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** All tables of the demo school, in the order of their foreign keys. */
const writingOrder = [
  'setting',
  'school',
  'grade',
  'classify',
  'subject',
  'room',
  'staff',
  'student',
  'course',
  'course_chapter',
  'period',
  'large_class',
  'class',
  'class_staff',
  'class_course',
  'class_student',
  'class_earlier_stay',
  'attendance',
  'study_record',
  'class_group',
  'class_group_staff',
  'class_group_student',
  'class_session',
  'team_class',
  'class_contract',
  'session_student',
  'communication_record',
  'knowledge_point',
  'question',
  'homework',
  'homework_class',
  'homework_question',
  'report',
  'answer',
  'history',
  'ware_classify',
  'ware_file',
  'courseware',
  'lesson_ware',
  'exam_category',
  'exam',
  'exam_school',
  'exam_class',
  'exam_section',
  'exam_question',
  'exam_report',
  'exam_answer',
  'class_ware',
  'session_handout',
  'community_group',
  'community_member',
  'community_post',
  'community_comment',
  'community_like',
  'community_collect',
  'community_report',
  'class_notice',
  'class_meeting',
  'class_meeting_attendance',
] as const satisfies (keyof Tables)[];
type DemoTable = (typeof writingOrder)[number];

/** Tables whose ids this writer assigns, so that other rows can refer to a row before it is written. */
type NumberedTable = {
  [Table in DemoTable]: 'id' extends keyof Tables[Table] ? Table : never;
}[DemoTable];
type Row<Table extends DemoTable> = Insertable<Tables[Table]>;

/** Rows per insert statement. Few sizes mean few prepared statements: 37 rows are written as 20 + 5 + 5 + 5 + 1 + 1. */
const chunkSizes = [500, 100, 20, 5, 1];

export class RowWriter {
  private readonly db: Database;
  private readonly engine: Engine;
  private readonly rows = new Map<DemoTable, object[]>();
  private readonly lastId = new Map<DemoTable, number>();
  private readonly columns = new Map<DemoTable, string[]>();
  private readonly statements = new Map<string, string>();

  constructor(db: Database, engine: Engine) {
    this.db = db;
    this.engine = engine;
  }

  /** Buffers a row and returns its new id. All rows of a table must have the same columns. */
  add<Table extends NumberedTable>(table: Table, row: Omit<Row<Table>, 'id'>): number {
    const id = (this.lastId.get(table) ?? 0) + 1;
    this.lastId.set(table, id);
    this.put(table, { id, ...row });
    return id;
  }

  /** Buffers a row that has no id, or whose id nobody needs. */
  addPlain<Table extends DemoTable>(table: Table, row: Row<Table>): void {
    this.put(table, row);
  }

  private put(table: DemoTable, row: object): void {
    const rows = this.rows.get(table);
    if (rows) rows.push(row);
    else this.rows.set(table, [row]);
  }

  async flush(): Promise<void> {
    for (const table of writingOrder) {
      const rows = this.rows.get(table) ?? [];
      this.rows.delete(table);
      if (this.engine === 'postgres') await this.writeToPostgres(table, rows);
      else await this.writeToSqlite(table, rows);
    }
  }

  private async writeToSqlite(table: DemoTable, rows: object[]): Promise<void> {
    let written = 0;
    for (const size of chunkSizes) {
      while (rows.length - written >= size) {
        const chunk = rows.slice(written, written + size);
        written += size;
        const columns = this.columnsOf(table, chunk[0] as object);
        const values = valuesOf(chunk, columns);
        if (values.includes(undefined)) throw new Error(`Rows of ${table} differ in their columns.`);
        await this.db.executeQuery(CompiledQuery.raw(this.sqliteInsert(table, columns, size), values));
      }
    }
  }

  /** Returns the columns of the table's first row; later rows may have them in any order. */
  private columnsOf(table: DemoTable, row: object): string[] {
    const columns = this.columns.get(table) ?? Object.keys(row);
    this.columns.set(table, columns);
    return columns;
  }

  private sqliteInsert(table: DemoTable, columns: string[], size: number): string {
    const key = `${table} ${size}`;
    const known = this.statements.get(key);
    if (known) return known;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const text = `insert into ${table} (${columns.join(', ')}) values ${Array(size).fill(row).join(', ')}`;
    this.statements.set(key, text);
    return text;
  }

  /** One JSON parameter carries many rows, which PostgreSQL plans faster than thousands of parameters. */
  private async writeToPostgres(table: DemoTable, rows: object[]): Promise<void> {
    for (let from = 0; from < rows.length; from += 2000) {
      const chunk = rows.slice(from, from + 2000);
      const columns = Object.keys(chunk[0] as object).join(', ');
      const text = `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`;
      await this.db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(chunk)]));
    }
  }
}

function valuesOf(rows: object[], columns: string[]): unknown[] {
  const values: unknown[] = [];
  for (const row of rows as Record<string, unknown>[]) for (const column of columns) values.push(row[column]);
  return values;
}

/** Tables whose ids this writer assigns. */
export const numberedTables = writingOrder.filter(
  (table) =>
    ![
      'setting',
      'class_staff',
      'class_course',
      'class_group_staff',
      'class_group_student',
      'homework_class',
      'class_earlier_stay',
      'study_record',
      'exam_school',
      'exam_class',
      'team_class',
      'class_contract',
      'session_handout',
    ].includes(table),
);
