//! The page of `loupe run --html` in a browser: what its script makes, and that it answers clicks. Without a browser in the
//! path nothing is looked at, unless `CARAT_REQUIRE_TOOLS` is set: then that is a failure.

use std::path::PathBuf;
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Goes down into the treemap, sorts by place, and says what is then to be seen.
const CLICKS: &str = r##"<script>
const click = element => element.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const before = document.querySelectorAll("#map rect").length;
click(document.querySelector("#map rect"));
click(document.querySelectorAll("#rows th button")[1]);
const places = [...document.querySelectorAll("#rows tbody tr")].map(row => row.children[1].textContent);
const isSorted = places.every((place, i) => i === 0 || places[i - 1].localeCompare(place) <= 0);
document.title = `boxes ${before > 0} deeper ${document.getElementById("where").textContent !== ""} sorted ${isSorted} rows ${places.length > 5}`;
</script>"##;

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = BROWSERS.iter().find(|name| Command::new(name).arg("--version").output().is_ok()) else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no browser to look at the page with");
        return;
    };
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page.html");
    let program = format!("{}/tests/fixtures/program.rb", env!("CARGO_MANIFEST_DIR"));
    let made =
        Command::new(env!("CARGO_BIN_EXE_loupe")).args(["run", "--quiet", "--html"]).arg(&page).arg(program).output();
    assert!(made.expect("loupe runs").status.success());
    let text = std::fs::read_to_string(&page).expect("the page was written");
    std::fs::write(&page, text.replace("</html>", &format!("{CLICKS}</html>"))).expect("the page can be changed");
    let shown = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&shown.stdout);
    let title = dom.split("<title>").nth(1).and_then(|t| t.split("</title>").next()).unwrap_or_default();
    assert_eq!(title, "boxes true deeper true sorted true rows true", "{dom}");
    let advice =
        dom.split("<table id=\"advice\">").nth(1).and_then(|rest| rest.split("</table>").next()).unwrap_or_default();
    assert!(advice.contains("<td class=\"n\">1</td>") && advice.contains("<span class=\"added\">+"), "{advice}");
    assert!(dom.contains("Literals nobody wrote to: safe to freeze") && dom.contains("class=\"used\""));
    assert!(dom.contains("class=\"hot\""), "sources stand beside their figures");
}
