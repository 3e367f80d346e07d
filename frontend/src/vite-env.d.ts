/// <reference types="vite/client" />

/** Name of this build; compared with builds/latest.json. */
declare const __BUILD__: string;
