/**
 * The mutants of one source file: small faults that a person could write. All of them stand in one instrumented text,
 * each behind a switch (`__mutant__(id)`), so that a file is compiled once for the whole run.
 */
import { parseSync } from 'vite';

export interface Mutant {
  /** Of this run. */
  id: number;
  /** The same from run to run: file, function, what is changed; `#2` where a function has the same twice. */
  name: string;
  file: string;
  line: number;
  /** Runs when its module is loaded, outside every function. */
  atLoad: boolean;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Another text for an expression. */
interface Change {
  what: string;
  text: string;
}

interface Place {
  /** The function around, by name. */
  within: string;
  inFunction: boolean;
  /** Inside `a?.b.c`, where no part can be put in brackets. */
  inChain: boolean;
  /** Whose argument it is. */
  argumentOf: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const node = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const comparisons: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
};
const arithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' };
/** The operators of conditions in SQL. */
const operators: Record<string, string[]> = {
  '=': ['!='],
  '!=': ['='],
  '<>': ['='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  in: ['not in'],
  'not in': ['in'],
  is: ['is not'],
  'is not': ['is'],
};
/** Calls that narrow or order what stands before them, and may be left out. */
const clauses = new Set(
  `where whereRef having orderBy limit offset distinct filterWhere $if union on onRef
   filter sort toSorted reverse toReversed slice trim`.split(/\s+/),
);
const otherCalls: Record<string, string> = {
  every: 'some',
  some: 'every',
  max: 'min',
  min: 'max',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  trunc: 'ceil',
  leftJoin: 'innerJoin',
  and: 'or',
  or: 'and',
};
/** Lists of columns: a missing one is seen by the type check and by the declared answers. */
const listsOfColumns = new Set(['select', 'groupBy', 'returning', 'columns', 'orderBy', 'selectAll']);

/** The instrumented text of a file and its mutants, with ids from `firstId` on. */
export function mutate(file: string, source: string, firstId: number): { code: string; mutants: Mutant[] } {
  const mutants: Mutant[] = [];
  const names = new Map<string, number>();
  const raw = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  const add = (at: Node, place: Place, what: string): number => {
    const plain = `${file} ${place.within || '(module)'}: ${what}`.replace(/\s+/g, ' ');
    const count = (names.get(plain) ?? 0) + 1;
    names.set(plain, count);
    const id = firstId + mutants.length;
    const line = source.slice(0, at.start).split('\n').length;
    const name = count === 1 ? plain : `${plain} #${count}`;
    mutants.push({ id, name, file, line, atLoad: !place.inFunction });
    return id;
  };

  /** The text of a node with all of its mutants. */
  function render(at: Node, place: Place): string {
    if (/^(Import|ExportAll)/.test(at.type)) return raw(at);
    if (at.type.startsWith('TS')) {
      const inner = /^TS(As|Satisfies|NonNull)Expression$/.test(at.type) ? node(at.expression) : undefined;
      return inner ? render(inner, place) + source.slice(inner.end, at.end) : raw(at);
    }
    const changes = place.inChain ? [] : changesOf(at, place);
    const ids = changes.map(({ what }) => add(at, place, what));
    const removed = isRemovable(at) ? add(at, place, `${short(raw(at))} removed`) : undefined;
    const text = renderParts(at, place);
    if (removed !== undefined) return `{ if (!__mutant__(${removed})) { ${text} } }`;
    if (changes.length === 0) return text;
    return `(${changes.map((change, index) => `__mutant__(${ids[index]}) ? ${change.text} : `).join('')}${text})`;
  }

  function renderParts(at: Node, outer: Place): string {
    const place = placeWithin(at, outer);
    let text = '';
    let position = at.start;
    const parts = partsOf(at).sort((a, b) => a.start - b.start);
    for (const part of parts) {
      if (part.start < position) continue;
      text += source.slice(position, part.start);
      position = part.end;
      text += renderPart(part, at, place);
    }
    return text + source.slice(position, at.end);
  }

  function renderPart(part: Node, at: Node, place: Place): string {
    const isCallee = at.callee === part || at.object === part;
    const inner = {
      ...place,
      inChain: at.type === 'ChainExpression' || (place.inChain && isCallee),
      argumentOf: at.type === 'CallExpression' && !isCallee ? calleeName(at) : '',
    };
    if (at.type === 'SwitchCase' && nodes(at.consequent)[0] === part) {
      const id = add(part, place, `case ${short(at.test ? raw(at.test as Node) : 'default')} emptied`);
      return `if (__mutant__(${id})) break; ${render(part, inner)}`;
    }
    if (/^(For|While|DoWhile)/.test(at.type) && at.body === part && part.type === 'BlockStatement')
      return render(part, inner).replace('{', '{ __mutantLoops__();');
    const isTest = at.test === part && /^(If|Conditional|While)/.test(at.type);
    if (!isTest) return render(part, inner);
    const forced = at.type === 'WhileStatement' ? ['false'] : ['true', 'false'];
    const ids = forced.map((value) => add(part, place, `${short(raw(part))} as ${value}`));
    return `(${forced.map((value, index) => `__mutant__(${ids[index]}) ? ${value} : `).join('')}${render(part, inner)})`;
  }

  function changesOf(at: Node, place: Place): Change[] {
    switch (at.type) {
      case 'LogicalExpression':
        return [node(at.left), node(at.right)]
          .filter((side) => side !== undefined)
          .map((side) => ({ what: `${short(raw(at))} → ${short(raw(side))}`, text: `(${raw(side)})` }));
      case 'BinaryExpression': {
        const [left, right] = [at.left as Node, at.right as Node];
        const others = comparisons[at.operator as string] ?? [arithmetic[at.operator as string] ?? ''];
        if (at.operator === '+' && (isText(left) || isText(right))) return [];
        return others
          .filter((operator) => operator !== '')
          .map((operator) => replaced(at, `${raw(left)} ${operator} ${raw(right)}`));
      }
      case 'UnaryExpression': {
        const argument = at.argument as Node;
        if (at.operator !== '!' && !(at.operator === '-' && argument.type !== 'Literal')) return [];
        return [replaced(at, raw(argument))];
      }
      case 'Literal':
        return changesOfLiteral(at, place);
      case 'ArrayExpression': {
        const elements = nodes(at.elements);
        if (elements.length < 2 || listsOfColumns.has(place.argumentOf)) return [];
        return elements.map((element) => ({
          what: `${short(raw(element))} dropped`,
          text: `[${elements
            .filter((other) => other !== element)
            .map(raw)
            .join(', ')}]`,
        }));
      }
      case 'CallExpression':
        return changesOfCall(at);
      default:
        return [];
    }
  }

  function changesOfLiteral(at: Node, place: Place): Change[] {
    if (typeof at.value === 'boolean') return [replaced(at, String(!at.value))];
    // The first row is asked for with a limit of one, too.
    if (typeof at.value === 'number' && place.argumentOf !== 'limit') return [replaced(at, String(at.value + 1))];
    if (typeof at.value === 'string' && place.argumentOf === 'orderBy' && at.value === 'desc')
      return [replaced(at, `'asc'`)];
    return [];
  }

  function changesOfCall(at: Node): Change[] {
    const callee = at.callee as Node;
    const given = nodes(at.arguments);
    const changes: Change[] = [];
    const name = calleeName(at);
    const operator = given.length === 3 && given[1]?.type === 'Literal' ? given[1] : undefined;
    const swapped =
      operator && Object.hasOwn(operators, String(operator.value)) ? operators[String(operator.value)] : [];
    for (const other of swapped ?? []) {
      if (!operator) continue;
      const text = `${source.slice(at.start, operator.start)}'${other}'${source.slice(operator.end, at.end)}`;
      const [before, , after] = given as [Node, Node, Node];
      changes.push({ what: `(${short(`${raw(before)}, ${raw(operator)}, ${raw(after)}`)}) with '${other}'`, text });
    }
    if (name === 'not' && given.length === 1 && given[0])
      changes.push({ what: `${short(raw(at))} without not`, text: `(${raw(given[0])})` });
    if (callee.type !== 'MemberExpression' || callee.computed) return changes;
    const [object, property] = [callee.object as Node, callee.property as Node];
    const last = source.slice(property.start, at.end);
    const isJoin = name.startsWith('on') && object.type !== 'CallExpression';
    if (clauses.has(name) && !isJoin && last !== 'limit(1)')
      changes.push({ what: `.${short(last)} removed`, text: raw(object) });
    const other = Object.hasOwn(otherCalls, name) ? otherCalls[name] : undefined;
    if (other)
      changes.push({
        what: `.${short(last)} as ${other}`,
        text: source.slice(at.start, property.start) + other + source.slice(property.end, at.end),
      });
    return changes;
  }

  const replaced = (at: Node, text: string): Change => ({
    what: `${short(raw(at))} → ${short(text)}`,
    text: `(${text})`,
  });

  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const place: Place = { within: '', inFunction: false, inChain: false, argumentOf: '' };
  const root = program as unknown as Node;
  const code = source.slice(0, root.start) + renderParts(root, place) + source.slice(root.end);
  const [broken] = parseSync(file, code).errors;
  if (broken) throw new Error(`${file} cannot be read with its mutants: ${broken.message}`);
  return { code, mutants };
}

/** The nodes in which a change may be made: no names of fields, no types. */
function partsOf(at: Node): Node[] {
  return Object.entries(at).flatMap(([field, value]) => {
    if ((field === 'key' || field === 'property') && !at.computed) return [];
    if (field === 'key' && at.shorthand) return [];
    return Array.isArray(value) ? nodes(value) : isNode(value) ? [value] : [];
  });
}

function placeWithin(at: Node, place: Place): Place {
  const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(at.type);
  const named = node(at.id) ?? (at.type === 'MethodDefinition' ? node(at.key) : undefined);
  const names = /^(FunctionDeclaration|VariableDeclarator|MethodDefinition|ClassDeclaration)$/.test(at.type);
  const name = names && named?.type === 'Identifier' ? String(named.name) : undefined;
  // A constant inside a function does not name the place.
  const within = name !== undefined && !place.inFunction ? name : place.within;
  return { ...place, within, inFunction: place.inFunction || isFunction };
}

function calleeName({ callee }: Node): string {
  const called = node(callee);
  if (called?.type === 'Identifier') return String(called.name);
  return called?.type === 'MemberExpression' ? String(node(called.property)?.name ?? '') : '';
}

/** A statement that only does something: it may be left out. */
function isRemovable(at: Node): boolean {
  if (at.type !== 'ExpressionStatement' || at.directive) return false;
  const expression = at.expression as Node;
  const done = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression;
  return /^(Call|Assignment|Update)Expression$/.test(done.type);
}

const isText = (at: Node): boolean =>
  at.type === 'TemplateLiteral' ||
  (at.type === 'Literal' && typeof at.value === 'string') ||
  (at.type === 'BinaryExpression' && at.operator === '+' && (isText(at.left as Node) || isText(at.right as Node)));

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 110 ? `${line.slice(0, 70)} … ${line.slice(-35)}` : line;
}
