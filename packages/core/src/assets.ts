/** The files of one asset, by path with forward slashes: a zip's content, or a staged directory's. */
export interface Asset {
  readonly bucket: string;
  readonly key: string;
  /** Reads the files; called when the asset is first used. */
  files(): Readonly<Record<string, Uint8Array>>;
}

/** Assets published into a world, by bucket and key, for code and templates that name them. */
export class AssetStore {
  readonly #assets = new Map<string, Asset>();

  publish(asset: Asset): void {
    this.#assets.set(`${asset.bucket}/${asset.key}`, asset);
  }

  find(bucket: string, key: string): Asset | undefined {
    return this.#assets.get(`${bucket}/${key}`);
  }

  clear(): void {
    this.#assets.clear();
  }
}
