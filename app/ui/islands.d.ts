declare module 'virtual:islands' {
  interface IslandFiles {
    /** Run in this order. */
    scripts: string[];
    /** Fetched along with them. */
    modules: string[];
    styles: string[];
  }
  export const islandFiles: Record<string, IslandFiles>;
}
