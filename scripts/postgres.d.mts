export function startPostgres(bin: string): Promise<{ url: string; stop(): Promise<unknown> }>;
