/** Where a command writes. */
export interface CommandIo {
  out(text: string): void;
  err(text: string): void;
}
