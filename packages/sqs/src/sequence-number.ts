/** As the sequence numbers of AWS begin. */
const PREFIX = "188";
const LENGTH = 20;

/** The SequenceNumber of a message of a FIFO queue: 20 digits that grow with its place in the queue. */
export function sequenceNumberOf(sequence: number): string {
  return PREFIX + String(sequence).padStart(LENGTH - PREFIX.length, "0");
}
