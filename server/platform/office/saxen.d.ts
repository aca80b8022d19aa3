declare module 'saxen' {
  export type Attributes = Record<string, string>;

  /** Streaming, namespace-aware SAX parser. It expands only XML's five entities and character references (no XXE). */
  export class Parser {
    constructor(options?: { proxy?: boolean });
    ns(uriToPrefix: Record<string, string>): this;
    on(
      event: 'openTag',
      listener: (
        name: string,
        attributes: () => Attributes,
        decodeEntities: (text: string) => string,
        selfClosing: boolean,
      ) => void,
    ): this;
    on(
      event: 'closeTag',
      listener: (name: string, decodeEntities: (text: string) => string, selfClosing: boolean) => void,
    ): this;
    on(event: 'text', listener: (text: string, decodeEntities: (text: string) => string) => void): this;
    /** Called with the whole of <!DOCTYPE …>. */
    on(event: 'attention', listener: (declaration: string) => void): this;
    on(event: 'cdata', listener: (text: string) => void): this;
    on(event: 'error' | 'warn', listener: (error: Error) => void): this;
    write(xml: string): this;
    end(): Error | null;
    stop(): void;
  }
}
