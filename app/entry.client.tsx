// The router asks for this entry of the browser's build. No page loads it: what runs in a browser is an island.
export {};
