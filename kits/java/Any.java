import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Plays every game: any of the legal actions. */
final class Any implements LudusBot.Bot {
    private Random random = new Random();

    /** Draws the same in every game of one seed. */
    @Override
    public void start(Map<String, Object> game) {
        random = new Random(game.get("seed").hashCode());
    }

    @Override
    public Object choose(Map<String, Object> game, Map<String, Object> view, List<String> legal) {
        return legal.get(random.nextInt(legal.size()));
    }

    public static void main(String[] arguments) throws IOException {
        LudusBot.run("any", new Any());
    }
}
