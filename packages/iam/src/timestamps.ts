/** An instant as IAM and STS show it: in whole seconds, what is beyond them cut off. @param atMs epoch milliseconds */
export function timestamp(atMs: number): Date {
  return new Date(Math.floor(atMs / 1000) * 1000);
}
