/** Elements of MathML, as readers and writers of formulas see them. */

export interface MathNode {
  name: string;
  attributes: Record<string, string>;
  children: (MathNode | string)[];
}

export const childElements = ({ children }: MathNode): MathNode[] =>
  children.filter((child) => typeof child !== 'string');
export const textOf = (node: MathNode): string =>
  node.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
